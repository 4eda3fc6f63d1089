import type pg from "pg";
import { v7 as uuid } from "uuid";
import { savedMeanwhile } from "@/server/agents/rules";
import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { giveFile, holdBase, markStored, tellQueued } from "@/server/files/document-rows";
import { confineName } from "@/server/files/file-name";
import { forgetFile, type ReceivedFile, receiveFile } from "@/server/files/store-file";
import { findBase } from "@/server/files/upload-target";
import { findRedaction } from "@/server/secrets/redaction";
import { inTransaction, namesAreUnique } from "@/server/transaction";
import { tooLargeToUpload } from "@/server/usage/rules";
import { MB } from "@/server/usage/schema";
import { assertMayAddDocument } from "@/server/usage/service/count-against-limits";
import { readLimits } from "@/server/usage/service/read-standing";
import type { Scope } from "@/server/workspaces/scope";
import type { ChangeEntryInput, CreateEntryInput, EntryKind } from "../entry-schema";
import { NO_ENTRY } from "../queries/get-entry";
import { getDocument } from "../queries/list-documents";
import { titleTaken, writtenEntry } from "../rules";
import type { DocumentView } from "../schema";

type Written = { title: string; text: string };

/** A text of 100,000 characters takes no longer to store. */
const STORED_WITHIN_MS = 60_000;

/**
 * Stores an entry (INT-CTX-24): a document of a base that a person wrote in a form, of one kind (INT-CTX-23). It is a file like
 * one that was uploaded, so that it is indexed, found, cited, counted and removed like one. What is kept secret is taken out of
 * it, and personal data where the workspace wants that. A run it names that is gone is left out. Throws NOT_FOUND for the base,
 * CONFLICT for a title in use, TOO_MANY_REQUESTS for a base that is full, INVALID when there is no room.
 */
export async function createEntry({ scope, input }: { scope: Scope; input: CreateEntryInput }): Promise<DocumentView> {
  const { workspaceId } = scope;
  const baseId = await findBase(workspaceId, input.baseId);
  const { title, text } = await cleaned(scope, input);
  const documentId = uuid();
  await storing(scope, { title, text }, (file) =>
    inTransaction(async (client) => {
      await holdBase(client, scope, baseId);
      await assertMayAddDocument(client, workspaceId, { baseId, name: title });
      await markStored(client, scope, file);
      await client.query(
        `INSERT INTO documents (id, workspace_id, base_id, file_id, name, media_type, size_bytes, sha256, created_by_id,
           entry_kind, from_run_id, from_place)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, r.id, CASE WHEN r.id IS NOT NULL THEN $12 END
         FROM (SELECT 1) one LEFT JOIN (
           -- Held, so that one that is just being removed is waited for, and then left out.
           SELECT id FROM runs WHERE workspace_id = $2 AND id = $11 AND removing_at IS NULL FOR KEY SHARE) r ON true`,
        [
          ...[documentId, workspaceId, baseId, file.fileId, title, file.mediaType, file.sizeBytes, file.sha256],
          ...[scope.userId, input.entryKind, input.from?.runId ?? null, input.from?.place ?? null],
        ],
      );
      await tellQueued(client, scope, { baseId, documentId });
    }),
  );
  return getDocument(workspaceId, documentId);
}

/**
 * Stores an entry as its form has it now: a new revision of the same document, found once it is indexed. What was saved since it
 * was read is never overwritten unseen. Throws NOT_FOUND, and CONFLICT for a newer text (says who saved it when) or a title in
 * use, INVALID when there is no room.
 */
export async function changeEntry({ scope, input }: { scope: Scope; input: ChangeEntryInput }): Promise<DocumentView> {
  const { workspaceId } = scope;
  const { documentId, entryKind } = input;
  const { baseId } = await findEntry(pool(), scope, documentId);
  const { title, text } = await cleaned(scope, input);
  await storing(scope, { title, text }, (file) =>
    inTransaction(async (client) => {
      await holdBase(client, scope, baseId);
      const before = await findEntry(client, scope, documentId);
      if (before.fileId !== input.fileId) throw new AppError("CONFLICT", savedMeanwhile("entry", before, KEPT));
      await markStored(client, scope, file);
      await rename(client, scope, { documentId, title, entryKind });
      await giveFile(client, scope, { documentId, oldFileId: before.fileId, file });
      await tellQueued(client, scope, { baseId, documentId });
    }),
  );
  return getDocument(workspaceId, documentId);
}

const KEPT = "Your text is still in the form.";

async function rename(
  client: pg.PoolClient,
  { workspaceId }: Scope,
  { documentId, title, entryKind }: { documentId: string; title: string; entryKind: EntryKind },
): Promise<void> {
  await client.query("UPDATE documents SET name = $3, entry_kind = $4 WHERE workspace_id = $1 AND id = $2", [
    ...[workspaceId, documentId, title, entryKind],
  ]);
}

type Found = { baseId: string; fileId: string; by: string | null; isOwn: boolean; at: Date };

async function findEntry(from: Pick<pg.ClientBase, "query">, scope: Scope, documentId: string): Promise<Found> {
  const { rows } = await from.query<Found>(
    `SELECT d.base_id AS "baseId", d.file_id AS "fileId", u.name AS by, coalesce(u.id = $3, false) AS "isOwn", f.created_at AS at
     FROM documents d JOIN files f ON f.workspace_id = d.workspace_id AND f.id = d.file_id
     LEFT JOIN users u ON u.id = f.created_by_id
     WHERE d.workspace_id = $1 AND d.id = $2 AND d.entry_kind IS NOT NULL`,
    [scope.workspaceId, documentId, scope.userId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", NO_ENTRY);
  return rows[0];
}

/** What a person says comes in by this door as by any other (docs/decisions/036). */
async function cleaned({ workspaceId }: Scope, { title, text }: Written): Promise<Written> {
  const { hide, redact } = await findRedaction(workspaceId);
  return { title: hide(title), text: redact(text) };
}

/** What an entry is called when it is downloaded. A slash parts no path here. */
function fileNameOf(title: string): string {
  return `${confineName(title.replaceAll(/[/\\]/g, "-")) ?? "entry"}.md`;
}

/** Stores the bytes as an upload's are, and what is to be made of them; of neither anything is left where one fails. */
async function storing(scope: Scope, entry: Written, store: (file: ReceivedFile) => Promise<void>): Promise<void> {
  const limits = await readLimits(pool(), scope.workspaceId);
  const bytes = Buffer.from(writtenEntry(entry), "utf8");
  const file = await receiveFile(scope, {
    name: fileNameOf(entry.title),
    request: { body: new Blob([bytes]).stream(), signal: AbortSignal.timeout(STORED_WITHIN_MS) },
    mostBytes: limits.uploadMb * MB,
    tooLarge: tooLargeToUpload(limits),
    announcedBytes: bytes.byteLength,
  });
  try {
    await namesAreUnique("documents_base_id_name_key", titleTaken(entry.title), () => store(file));
  } catch (error) {
    await forgetFile(scope.workspaceId, file.fileId);
    throw error;
  }
}
