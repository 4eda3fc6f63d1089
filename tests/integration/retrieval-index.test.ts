import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { db, pool } from "@/server/db";
import { BUILT_IN_DIMS } from "@/server/retrieval/built-in-embedder";
import { removeBaseDocuments, removeBaseRow, removeDocumentRows } from "@/server/retrieval/remove-documents";
import { publishRevision, storeChunks } from "@/server/retrieval/store-chunks";
import { countTerms } from "@/server/retrieval/terms";
import { inTransaction } from "@/server/transaction";
import { DATABASE_KINDS } from "../support/databases";
import { aWorkspace } from "../support/factories";
import { aBase, aDocument, aLiveDocument, indexPassages, passagesOf } from "../support/knowledge";
import { useDatabase } from "../support/use-database";

type Counters = { chunks: number; terms: number };

/** What the base says it holds, and what it does hold. */
async function countersOf(baseId: string): Promise<{ kept: Counters; counted: Counters }> {
  const { rows } = await pool().query<Counters & { counted: Counters }>(
    `SELECT chunk_count AS chunks, term_count::int AS terms, (
       SELECT json_build_object('chunks', count(*), 'terms', coalesce(sum(c.terms), 0))
       FROM chunks c JOIN documents d ON d.id = c.document_id AND d.live_revision = c.revision WHERE c.base_id = b.id
     ) AS counted FROM knowledge_bases b WHERE id = $1`,
    [baseId],
  );
  const { chunks = -1, terms = -1, counted = { chunks: -2, terms: -2 } } = rows[0] ?? {};
  return { kept: { chunks, terms }, counted };
}

/** Rows of the index, however they came about. */
async function rowsOf(baseId: string) {
  const { rows } = await pool().query<{ chunks: number; postings: number; vectors: number }>(
    `SELECT (SELECT count(*)::int FROM chunks WHERE base_id = $1) AS chunks,
       (SELECT count(*)::int FROM postings WHERE base_id = $1) AS postings,
       (SELECT count(*)::int FROM chunk_embeddings WHERE base_id = $1) AS vectors`,
    [baseId],
  );
  return rows[0];
}

describe.each(DATABASE_KINDS)("the index of a base (%s)", (kind) => {
  useDatabase(kind);

  async function aPlace() {
    const workspaceId = await aWorkspace(db());
    const baseId = await aBase(db(), workspaceId);
    const documentId = await aDocument(db(), workspaceId, baseId);
    return { workspaceId, baseId, documentId };
  }

  test("storing and publishing the same again changes nothing", async () => {
    const place = await aPlace();
    const passages = passagesOf("Kill every worker.", "Every run goes on.", "Money is checked before it is spent.");
    await indexPassages(place, passages);
    const first = [await rowsOf(place.baseId), await countersOf(place.baseId)];
    await indexPassages(place, passages);
    expect([await rowsOf(place.baseId), await countersOf(place.baseId)]).toEqual(first);
    expect(first[0]).toMatchObject({ chunks: 3, vectors: 3 });
    const { kept, counted } = await countersOf(place.baseId);
    expect(kept).toEqual(counted);
    expect(kept.terms).toBe(passages.reduce((sum, { text }) => sum + countTerms(text).length, 0));
  });

  test("half a document stored, cut off and stored again is whole", async () => {
    const place = await aPlace();
    const passages = passagesOf(...Array.from({ length: 130 }, (_, i) => `Passage number${i} of the handbook.`));
    const store = { ...place, revision: 1, generation: 1, embeddings: null, dims: BUILT_IN_DIMS };
    await storeChunks(pool(), { ...store, chunks: passages.slice(0, 70) });
    await indexPassages(place, passages);
    expect(await rowsOf(place.baseId)).toMatchObject({ chunks: 130 });
    const { kept, counted } = await countersOf(place.baseId);
    expect([kept, kept.chunks]).toEqual([counted, 130]);
  });

  test("a newer revision takes the place of the older one, all at once", async () => {
    const place = await aPlace();
    await indexPassages(place, passagesOf("One.", "Two.", "Three."));
    await db().document.update({ where: { id: place.documentId }, data: { revision: 2 } });
    const chunks = passagesOf("Four words are here.");
    await storeChunks(pool(), { ...place, revision: 2, generation: 1, chunks, embeddings: null, dims: BUILT_IN_DIMS });
    expect((await countersOf(place.baseId)).kept.chunks).toBe(3);
    expect(await publishRevision(pool(), { ...place, revision: 2 })).toBe(true);
    expect(await rowsOf(place.baseId)).toMatchObject({ chunks: 1 });
    const { kept, counted } = await countersOf(place.baseId);
    expect([kept, kept.chunks]).toEqual([counted, 1]);
    const document = await db().document.findUniqueOrThrow({ where: { id: place.documentId } });
    expect(document).toMatchObject({ liveRevision: 2, chunkCount: 1 });
  });

  test("a worker that was overtaken stores and publishes nothing", async () => {
    const place = await aPlace();
    await db().document.update({ where: { id: place.documentId }, data: { revision: 5 } });
    await indexPassages({ ...place, revision: 4 }, passagesOf("An older upload."));
    expect(await publishRevision(pool(), { ...place, revision: 4 })).toBe(false);
    expect(await rowsOf(place.baseId)).toEqual({ chunks: 0, postings: 0, vectors: 0 });
    await indexPassages({ ...place, revision: 5 }, passagesOf("The newest upload."));
    await indexPassages({ ...place, revision: 5 }, passagesOf("The newest upload.", "A passage too late."));
    expect(await rowsOf(place.baseId)).toMatchObject({ chunks: 1 });
  });

  test("vectors of a generation the base does not have are not kept, and are asked for when the document goes live", async () => {
    const place = await aPlace();
    const vectors = [new Array<number>(3).fill(0.1)];
    const chunks = passagesOf("A passage without a vector.");
    await storeChunks(pool(), { ...place, revision: 1, generation: 7, chunks, embeddings: vectors, dims: 3 });
    await publishRevision(pool(), { ...place, revision: 1 });
    expect(await rowsOf(place.baseId)).toMatchObject({ chunks: 1, vectors: 0 });
    const base = await db().knowledgeBase.findUniqueOrThrow({ where: { id: place.baseId } });
    expect(base.nextEmbedding).toEqual({ generation: 1, embeddingModel: "built-in", dims: BUILT_IN_DIMS });
  });

  test("publishing is undone with the transaction it is part of", async () => {
    const place = await aPlace();
    const chunks = passagesOf("Never seen.");
    await storeChunks(pool(), { ...place, revision: 1, generation: 1, chunks, embeddings: null, dims: BUILT_IN_DIMS });
    const undone = inTransaction(async (client) => {
      await publishRevision(client, { ...place, revision: 1 });
      throw new Error("taken over");
    });
    await expect(undone).rejects.toThrow("taken over");
    expect((await countersOf(place.baseId)).kept).toEqual({ chunks: 0, terms: 0 });
  });

  test("documents that go live and are removed at the same time leave exact counters and no orphan", async () => {
    const place = await aPlace();
    const documents = await Promise.all(
      Array.from({ length: 12 }, () => aDocument(db(), place.workspaceId, place.baseId)),
    );
    const remove = (documentIds: string[]) => removeDocumentRows({ ...place, documentIds });
    await Promise.all([
      ...documents.map((documentId, i) =>
        indexPassages({ ...place, documentId }, passagesOf(...Array.from({ length: i + 1 }, () => "Some of it."))),
      ),
      remove(documents.slice(0, 4)),
      remove(documents.slice(2, 6).reverse()),
    ]);
    await remove(documents.slice(0, 6));
    const { kept, counted } = await countersOf(place.baseId);
    expect([kept, kept.chunks]).toEqual([counted, 7 + 8 + 9 + 10 + 11 + 12]);
    expect(await rowsOf(place.baseId)).toMatchObject({ chunks: 57, vectors: 57 });
    expect(await db().file.count({ where: { workspaceId: place.workspaceId } })).toBe(7);
  });

  // The embedded database has one session: nobody could hold a row there while another waits for it.
  test.runIf(kind === "postgres")("what is uploaded anew while many are being removed stays, whole", async () => {
    const place = await aPlace();
    const [first, second] = [
      await aLiveDocument(db(), place, "First passage."),
      await aLiveDocument(db(), place, "Second passage."),
    ];
    const holder = await pool().connect();
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM chunks WHERE document_id = $1 FOR UPDATE", [first]);
    const removing = removeDocumentRows({ ...place, documentIds: [first, second] });
    const again = () => db().document.findUniqueOrThrow({ where: { id: second }, select: { revision: true } });
    await vi.waitFor(async () => expect(await again()).toEqual({ revision: 2 }));
    await db().document.update({ where: { id: second }, data: { revision: 3, status: "queued" } });
    const at = { ...place, documentId: second, revision: 3 };
    const chunks = passagesOf("Second passage, again.", "And another.");
    await storeChunks(pool(), { ...at, generation: 1, chunks, embeddings: null, dims: BUILT_IN_DIMS });
    await holder.query("COMMIT");
    holder.release();
    expect(await removing).toBe(1);
    expect(await publishRevision(pool(), at)).toBe(true);
    const { kept, counted } = await countersOf(place.baseId);
    expect([kept, kept.chunks]).toEqual([counted, 2]);
    expect(await rowsOf(place.baseId)).toMatchObject({ chunks: 2 });
  });

  test("after any sequence of adding, replacing and removing, the counters equal a recount", async () => {
    const step = fc.record({
      what: fc.constantFrom("index", "index", "half", "remove"),
      which: fc.nat(3),
      texts: fc.array(fc.lorem({ maxCount: 12 }), { minLength: 0, maxLength: 4 }),
    });
    const workspaceId = await aWorkspace(db());
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const baseId = await aBase(db(), workspaceId);
        const documents = new Map<number, { documentId: string; revision: number }>();
        for (const { what, which, texts } of steps) {
          const known = documents.get(which);
          if (what === "remove") {
            if (known) await removeDocumentRows({ workspaceId, baseId, documentIds: [known.documentId] });
            documents.delete(which);
            continue;
          }
          const document = known ?? { documentId: await aDocument(db(), workspaceId, baseId), revision: 0 };
          document.revision += 1;
          documents.set(which, document);
          await db().document.update({ where: { id: document.documentId }, data: { revision: document.revision } });
          const at = { workspaceId, baseId, ...document };
          if (what === "index") await indexPassages(at, passagesOf(...texts));
          else {
            const chunks = passagesOf(...texts);
            await storeChunks(pool(), { ...at, generation: 1, chunks, embeddings: null, dims: BUILT_IN_DIMS });
          }
          const { kept, counted } = await countersOf(baseId);
          expect(kept).toEqual(counted);
        }
        await removeDocumentRows({
          ...{ workspaceId, baseId },
          documentIds: [...documents.values()].map(({ documentId }) => documentId),
        });
        expect((await countersOf(baseId)).kept).toEqual({ chunks: 0, terms: 0 });
        expect(await rowsOf(baseId)).toEqual({ chunks: 0, postings: 0, vectors: 0 });
      }),
      { numRuns: 12 },
    );
  });

  test("a deleted base leaves nothing of its index and files", async () => {
    const { workspaceId, baseId } = await aPlace();
    await aLiveDocument(db(), { workspaceId, baseId }, "One passage.", "Another passage.");
    await removeBaseDocuments(workspaceId, baseId);
    await removeBaseRow(workspaceId, baseId);
    expect(await rowsOf(baseId)).toEqual({ chunks: 0, postings: 0, vectors: 0 });
    expect(await db().file.count({ where: { workspaceId } })).toBe(0);
    expect(await db().knowledgeBase.count({ where: { id: baseId } })).toBe(0);
  });
});
