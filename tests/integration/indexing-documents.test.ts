import { createHash } from "node:crypto";
import { EventEmitter } from "node:events";
import pg from "pg";
import { v7 as uuid } from "uuid";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { UnknownOutcome } from "@/server/database-failure";
import { db, pool } from "@/server/db";
import type { DocumentReader } from "@/server/retrieval/child-reader";
import { startDocumentReader } from "@/server/retrieval/child-reader";
import { indexDocumentNow } from "@/server/retrieval/index-document-now";
import { type IndexerOptions, startIndexer } from "@/server/retrieval/indexer";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "../support/databases";
import { aWorkspace } from "../support/factories";
import { aBase } from "../support/knowledge";
import {
  aBrokenDocx,
  aBrokenPdf,
  aDocx,
  aDocxBomb,
  aLockedPdf,
  aPdf,
  aPdfWithoutText,
  textFile,
} from "../support/sample-files";
import { useDatabase } from "../support/use-database";

const PDF = "application/pdf";
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const sentences = (n: number, about: string) =>
  Array.from({ length: n }, (_, i) => `Sentence ${i} is about ${about} and nothing else.`).join(" ");

describe.each(DATABASE_KINDS)("indexing (%s)", (kind) => {
  const database = useDatabase(kind);
  let workspaceId: WorkspaceId;
  let baseId: string;
  const indexers: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    workspaceId = await aWorkspace(db());
  });
  afterEach(async () => {
    await Promise.all(indexers.splice(0).map((indexer) => indexer.close()));
    await expectExactCounters();
    await db().knowledgeBase.deleteMany();
    await db().worker.deleteMany();
  });

  async function begin(options: Partial<IndexerOptions> = {}, base = aBase(db(), workspaceId)) {
    baseId = await base;
    return anIndexer(options);
  }

  async function anIndexer(options: Partial<IndexerOptions> = {}) {
    const workerId = options.workerId ?? `test-${uuid()}`;
    await db().worker.upsert({ where: { id: workerId }, create: { id: workerId, host: "test", pid: 1 }, update: {} });
    const hints = new EventEmitter();
    const indexer = startIndexer({
      hub: { on: (hint, listener) => void hints.on(hint, listener) },
      ...options,
      workerId,
    });
    indexers.push(indexer);
    return { workerId, tell: (id: string) => hints.emit("document", id), ...indexer };
  }

  /** A document as the upload leaves it. */
  async function aQueued(content: Uint8Array<ArrayBuffer>, mediaType: string, name = `${uuid()}.x`): Promise<string> {
    const [id, fileId] = [uuid(), uuid()];
    const sha256 = createHash("sha256").update(content).digest("hex");
    const sizeBytes = content.byteLength;
    const parts = [];
    for (let at = 0; at < sizeBytes; at += 1_000_000)
      parts.push({ part: parts.length, content: content.slice(at, at + 1_000_000) });
    await db().file.create({
      data: { id: fileId, workspaceId, name, mediaType, sizeBytes, sha256, status: "stored", parts: { create: parts } },
    });
    await db().document.create({ data: { id, workspaceId, baseId, fileId, name, mediaType, sizeBytes, sha256 } });
    return id;
  }

  const documentOf = (id: string) => db().document.findUniqueOrThrow({ where: { id } });
  const chunksOf = (documentId: string) => db().chunk.findMany({ where: { documentId }, orderBy: { position: "asc" } });

  async function settled(id: string) {
    await expect
      .poll(async () => ["ready", "failed"].includes((await documentOf(id)).status), { timeout: 30_000, interval: 20 })
      .toBe(true);
    return documentOf(id);
  }

  /** What BM25 counts with is what is stored, and nothing of the index belongs to nobody. */
  async function expectExactCounters(): Promise<void> {
    const { rows } = await pool().query(
      `SELECT b.id FROM knowledge_bases b LEFT JOIN LATERAL (
         SELECT count(*) AS chunks, coalesce(sum(c.terms), 0) AS terms FROM chunks c
         JOIN documents d ON d.id = c.document_id AND d.live_revision = c.revision WHERE c.base_id = b.id) s ON true
       WHERE b.chunk_count <> s.chunks OR b.term_count <> s.terms`,
    );
    expect(rows).toEqual([]);
    const orphans = await pool().query(
      `SELECT (SELECT count(*) FROM postings p WHERE NOT EXISTS (SELECT FROM chunks c WHERE c.id = p.chunk_id))
         + (SELECT count(*) FROM chunk_embeddings e WHERE NOT EXISTS (SELECT FROM chunks c WHERE c.id = e.chunk_id)) AS n`,
    );
    expect(Number(orphans.rows[0].n)).toBe(0);
  }

  test("a PDF, a Word document and a table become passages with pages, headings and vectors", async () => {
    const { tell } = await begin();
    const pdf = await aQueued(await aPdf([["First page about gates."], [sentences(40, "fences")]]), PDF);
    const docx = await aQueued(await aDocx([{ heading: "Travel" }, sentences(40, "trains")]), DOCX);
    const csv = await aQueued(textFile("Name,Town\nAda,London\nGrace,New York"), "text/csv");
    tell(pdf);
    expect(await settled(pdf)).toMatchObject({ status: "ready", pages: 2, liveRevision: 1, workerId: null });
    expect((await chunksOf(pdf)).map(({ page }) => page)).toEqual([1, 2, 2]);
    expect(await settled(docx)).toMatchObject({ status: "ready", pages: null });
    expect((await chunksOf(docx)).every(({ heading }) => heading === "Travel")).toBe(true);
    expect(await settled(csv)).toMatchObject({ status: "ready", chunkCount: 1, characters: 50 });
    const [chunk] = await chunksOf(csv);
    expect(chunk?.text).toBe("Name: Ada\nTown: London\n\nName: Grace\nTown: New York");
    const done = await documentOf(docx);
    expect(done.progressDone).toBe(done.progressTotal);
    expect(done.indexedAt).not.toBeNull();
    expect(await pool().query("SELECT 1 FROM chunk_embeddings WHERE chunk_id = $1", [chunk?.id])).toMatchObject({
      rowCount: 1,
    });
  });

  test.each([
    ["a scanned PDF", () => aPdfWithoutText(), PDF, /^no_text: This PDF holds no text: its pages are scanned images\./],
    ["a damaged PDF", async () => aBrokenPdf(), PDF, /^broken_pdf: /],
    ["a locked PDF", () => aLockedPdf(), PDF, /^encrypted: /],
    ["a damaged Word document", async () => aBrokenDocx(), DOCX, /^broken_docx: /],
    ["an archive bomb", async () => aDocxBomb(110), DOCX, /^too_large: /],
    ["blanks", async () => textFile("  \n "), "text/plain", /^empty: /],
  ] as const)("%s fails with a reason and leaves no passage", async (_, make, mediaType, reason) => {
    const { tell } = await begin();
    const id = await aQueued(await make(), mediaType);
    tell(id);
    const document = await settled(id);
    expect(document).toMatchObject({ status: "failed", workerId: null, statusReason: expect.stringMatching(reason) });
    expect(await chunksOf(id)).toEqual([]);
  });

  test("an embedding model that is not there fails the document by name, and its passages are not found", async () => {
    const { tell } = await begin({}, aBase(db(), workspaceId, { embeddingModel: "gone/embedder", dims: 8 }));
    const id = await aQueued(textFile("Some text."), "text/plain");
    tell(id);
    const document = await settled(id);
    expect(document).toMatchObject({ status: "failed", liveRevision: 0, workerId: null });
    expect(document.statusReason).toMatch(/^embedding: .*gone.*\.$/);
  });

  test("a failure of one document stops neither the others nor the next", async () => {
    const { tell } = await begin();
    const ids = [];
    for (let i = 0; i < 3; i++) {
      ids.push(await aQueued(aBrokenPdf(), PDF), await aQueued(textFile(`Text number ${i}.`), "text/plain"));
    }
    tell(ids[0] ?? "");
    const statuses = [];
    for (const id of ids) statuses.push((await settled(id)).status);
    expect(statuses).toEqual(["failed", "ready", "failed", "ready", "failed", "ready"]);
  });

  test("a parser that never ends is ended, and the worker goes on beating meanwhile", async () => {
    const reader = startDocumentReader({ timeoutMs: 1_500 });
    await begin({ reader });
    // A page whose tags take the parser the square of its length.
    const id = await aQueued(textFile(`${"<b><p>".repeat(2_900)}${"<a><table>".repeat(30_000)}`), "text/html");
    let longestMs = 0;
    let last = performance.now();
    const beat = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
    }, 20);
    const document = await settled(id);
    clearInterval(beat);
    expect(document.status).toBe("failed");
    expect(document.statusReason).toMatch(/^(timed_out|broken_html|too_heavy): /);
    expect(longestMs).toBeLessThan(750);
  });

  test("a document that needs too much memory is refused, and the next one is read", async () => {
    const reader = startDocumentReader({ mostHeapMb: 48 });
    const { tell } = await begin({ reader });
    const heavy = await aQueued(textFile(`a,b\n${"1,2\n".repeat(800_000)}`), "text/csv");
    const light = await aQueued(textFile("Light text."), "text/plain");
    tell(heavy);
    expect((await settled(heavy)).statusReason).toMatch(/^(too_heavy|too_large): /);
    expect((await settled(light)).status).toBe("ready");
  });

  test("the passages of the earlier upload are found until the new ones are complete", async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isHolding = false;
    const atFaultPoint: IndexerOptions["atFaultPoint"] = async (point) => {
      if (isHolding && point === "before-publish") await held;
    };
    const { tell } = await begin({ atFaultPoint });
    const id = await aQueued(textFile("The old text."), "text/plain");
    tell(id);
    await settled(id);
    isHolding = true;
    const next = await aQueued(textFile("The new text."), "text/plain");
    const { fileId } = await documentOf(next);
    await db().document.update({ where: { id: next }, data: { status: "ready" } });
    await db().document.update({
      where: { id },
      data: { fileId, revision: 2, status: "queued", epoch: { increment: 1 }, workerId: null },
    });
    tell(id);
    await expect.poll(async () => (await chunksOf(id)).length, { timeout: 20_000 }).toBe(2);
    expect(await documentOf(id)).toMatchObject({ status: "indexing", liveRevision: 1, chunkCount: 1 });
    letGo();
    await settled(id);
    expect((await chunksOf(id)).map(({ text, revision }) => ({ text, revision }))).toEqual([
      { text: "The new text.", revision: 2 },
    ]);
  });

  test("a database that goes away, also at the very moment of saving, is no fault of the document", async () => {
    const troubles = [
      new UnknownOutcome(new Error("Connection terminated")),
      Object.assign(new Error("the database system is starting up"), { code: "57P03" }),
      Object.assign(new Error("behind Prisma"), { code: "P1001" }),
    ];
    const { tell } = await begin({
      atFaultPoint: async (point) => {
        const trouble = point === "before-publish" ? troubles.shift() : undefined;
        if (trouble) throw trouble;
      },
    });
    const id = await aQueued(textFile(sentences(100, "outages")), "text/plain");
    tell(id);
    expect(await settled(id)).toMatchObject({ status: "ready", statusReason: null });
    expect(troubles).toEqual([]);
  });

  test("a worker that lost its document changes nothing any more", async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let reached = false;
    const zombie = await begin({
      atFaultPoint: async (point) => {
        if (point !== "before-publish") return;
        reached = true;
        await held;
      },
    });
    const id = await aQueued(textFile(sentences(100, "takeovers")), "text/plain");
    zombie.tell(id);
    await expect.poll(() => reached, { timeout: 20_000 }).toBe(true);
    // Taken for dead by the others.
    await db().worker.delete({ where: { id: zombie.workerId } });
    const heir = await anIndexer();
    heir.tell(id);
    const ready = await settled(id);
    letGo();
    await zombie.close();
    expect(await documentOf(id)).toEqual(ready);
    expect(ready.epoch).toBe(2);
    expect(ready.progressTotal).toBe((await chunksOf(id)).length);
  });

  test("what was stored before an interruption is not embedded again", async () => {
    const stored: number[] = [];
    let closed: Promise<void> | undefined;
    const first = await begin({
      atFaultPoint: async (point) => {
        if (point === "after-store") stored.push(1);
        if (point === "after-store" && stored.length === 1) closed = first.close();
      },
    });
    const id = await aQueued(textFile(sentences(4_000, "much")), "text/plain");
    const all = 64 * 2;
    first.tell(id);
    await expect.poll(() => closed !== undefined, { timeout: 20_000 }).toBe(true);
    await closed;
    expect((await documentOf(id)).workerId).toBeNull();
    expect(await chunksOf(id)).toHaveLength(64);
    const before = (await pool().query("SELECT ctid::text, chunk_id FROM chunk_embeddings ORDER BY chunk_id")).rows;

    const second = await anIndexer();
    second.tell(id);
    const ready = await settled(id);
    expect(ready.status).toBe("ready");
    expect(ready.chunkCount).toBeGreaterThan(all);
    const after = (await pool().query("SELECT ctid::text, chunk_id FROM chunk_embeddings ORDER BY chunk_id")).rows;
    expect(after).toEqual(expect.arrayContaining(before));
    expect((await chunksOf(id)).map(({ position }) => position)).toEqual(
      Array.from({ length: ready.chunkCount }, (_, i) => i),
    );
  });

  test("a document that ended fifty executions is set aside, not taken over again", async () => {
    baseId = await aBase(db(), workspaceId);
    const id = await aQueued(textFile("Poison."), "text/plain");
    await db().document.update({ where: { id }, data: { status: "extracting", epoch: 50, workerId: "gone" } });
    await anIndexer();
    const document = await settled(id);
    expect(document).toMatchObject({ status: "failed", statusReason: expect.stringMatching(/^gave_up: /) });
  });

  test("a deleted document stops being indexed and leaves nothing", async () => {
    let reached = false;
    const { tell, close } = await begin({
      atFaultPoint: async (point) => {
        if (point !== "after-store" || reached) return;
        await db().document.deleteMany();
        reached = true;
      },
    });
    const id = await aQueued(textFile(sentences(4_000, "deletion")), "text/plain");
    tell(id);
    await expect.poll(() => reached, { timeout: 20_000 }).toBe(true);
    await close();
    expect(await chunksOf(id)).toEqual([]);
    expect(await db().posting.count({ where: { baseId } })).toBe(0);
  });

  test("progress and the end are told to open pages", async () => {
    const heard: string[] = [];
    const listener = new pg.Client({ connectionString: database().url });
    await listener.connect();
    listener.on("notification", ({ payload }) => heard.push(payload ?? ""));
    await listener.query("LISTEN troupe_changed");
    const { tell } = await begin();
    const id = await aQueued(textFile(sentences(50, "hints")), "text/plain");
    tell(id);
    await settled(id);
    const hint = `${workspaceId}:documents:${baseId}`;
    await expect.poll(() => heard.filter((payload) => payload === hint).length).toBeGreaterThanOrEqual(3);
    await listener.end();
  });

  test("a seed indexes at once, also beside a worker that wants the same document", async () => {
    baseId = await aBase(db(), workspaceId);
    const alone = await aQueued(textFile("Indexed by the seed."), "text/plain");
    await indexDocumentNow(alone);
    expect(await documentOf(alone)).toMatchObject({ status: "ready", chunkCount: 1 });
    const { tell } = await anIndexer();
    const contested = await aQueued(textFile(sentences(300, "contest")), "text/plain");
    tell(contested);
    await indexDocumentNow(contested);
    expect((await documentOf(contested)).status).toBe("ready");
    const broken = await aQueued(aBrokenPdf(), PDF);
    await expect(indexDocumentNow(broken)).rejects.toThrow("This PDF is damaged");
  });

  test("without hints documents are found by looking", async () => {
    await begin();
    const id = await aQueued(textFile("Nobody told."), "text/plain");
    expect((await settled(id)).status).toBe("ready");
  });
});

test("the reader keeps one process warm, and starts another when it was killed while it read", async () => {
  const reader: DocumentReader = startDocumentReader();
  const once = async function* () {
    yield Buffer.from("Some text.");
  };
  try {
    expect((await reader.read("text/plain", once)).chunks).toHaveLength(1);
    const before = performance.now();
    expect((await reader.read("text/plain", once)).characters).toBe(10);
    expect(performance.now() - before).toBeLessThan(300);
  } finally {
    reader.close();
  }
});
