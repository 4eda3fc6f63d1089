import { createHash } from "node:crypto";
import { db, pool } from "@/server/db";
import { deriveId } from "@/server/engine/ids";
import { ENTRY_KINDS } from "@/server/knowledge/entry-schema";
import { indexDocumentNow } from "@/server/retrieval/index-document-now";
import { markOf } from "@/server/tools/citations";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { Random } from "./random";
import type { Passage } from "./story";
import { FIELDS, pageOf } from "./words";

const DOCUMENTS_A_TRANSACTION = 100;
const AT_ONCE = 4;
const PASSAGES = 200;

/** Documents of a few pages, queued as an upload is and indexed by the product's own indexer. Returns how many were made. */
export async function storeDocuments(
  workspaceId: WorkspaceId,
  { documents: count, baseId }: { documents: number; baseId: string },
): Promise<number> {
  const known = await db().document.findMany({ where: { workspaceId, baseId }, select: { name: true } });
  const names = new Set(known.map(({ name }) => name));
  const missing = Array.from({ length: count }, (_, i) => i).filter((i) => !names.has(nameOf(i)));
  for (let from = 0; from < missing.length; from += DOCUMENTS_A_TRANSACTION) {
    const pages = missing.slice(from, from + DOCUMENTS_A_TRANSACTION).map((i) => describe(workspaceId, baseId, i));
    await db().$transaction([
      db().file.createMany({ data: pages.map(({ file }) => file) }),
      db().filePart.createMany({ data: pages.map(({ part }) => part) }),
      db().document.createMany({ data: pages.map(({ document }) => document) }),
    ]);
  }
  // Those of a seed that was cut off as well.
  const waiting = await db().document.findMany({
    where: { workspaceId, baseId, status: { in: ["queued", "extracting", "indexing"] } },
    select: { id: true },
    orderBy: { name: "asc" },
  });
  const queue = waiting.map(({ id }) => id);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let id = queue.shift(); id; id = queue.shift()) await indexDocumentNow(id);
    }),
  );
  return missing.length;
}

/** One in twenty was written rather than uploaded, of each kind in turn. */
const kindOf = (i: number) => (i % 20 === 4 ? ENTRY_KINDS[Math.floor(i / 20) % ENTRY_KINDS.length] : undefined);

const nameOf = (i: number) => (kindOf(i) ? `Note ${i + 1} on how we work` : fileNameOf(i));

const fileNameOf = (i: number) =>
  i === 7
    ? `handbook-0008-with-a-name-that-somebody-typed-in-one-go-and-that-is-much-longer-than-any-column-of-a-table.md`
    : `handbook-${String(i + 1).padStart(4, "0")}.md`;

function describe(workspaceId: WorkspaceId, baseId: string, i: number) {
  const random = new Random(`document ${i}`);
  const entryKind = kindOf(i);
  const field = random.pick(FIELDS);
  const title = entryKind ? nameOf(i) : `${field} handbook, part ${i + 1}`;
  // One in fifty is long.
  const content = new TextEncoder().encode(
    pageOf(random, { title, characters: i % 50 === 3 ? 20_000 : random.between(800, 3_500) }),
  );
  const sha256 = createHash("sha256").update(content).digest("hex");
  const fileId = deriveId(baseId, `scale file ${i}`);
  const described = { workspaceId, name: nameOf(i), mediaType: "text/markdown", sizeBytes: content.byteLength, sha256 };
  return {
    file: { id: fileId, ...described, name: fileNameOf(i), status: "stored" },
    part: { fileId, part: 0, workspaceId, content },
    document: {
      id: deriveId(baseId, `scale document ${i}`),
      baseId,
      fileId,
      ...described,
      ...(entryKind && { entryKind }),
    },
  };
}

/** Some passages of the base, for runs to cite. */
export async function readPassages(workspaceId: WorkspaceId, baseId: string): Promise<Passage[]> {
  const { rows } = await pool().query<Omit<Passage, "mark"> & { position: number }>(
    `SELECT c.id AS chunk_id, c.base_id, c.document_id, d.name AS document_name, c.heading, c.page, c.text, c.position
     FROM chunks c JOIN documents d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
     WHERE c.workspace_id = $1 AND c.base_id = $2 AND c.position = 0 ORDER BY d.name LIMIT ${PASSAGES}`,
    [workspaceId, baseId],
  );
  return rows.map(({ position, ...row }) => ({ ...row, mark: markOf({ documentName: row.document_name, position }) }));
}
