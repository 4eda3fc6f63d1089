import pg from "pg";
import { deriveId } from "@/server/engine/ids";
import { inTransaction } from "@/server/transaction";
import type { ChunkDraft } from "./embedder";
import { countTerms, indexedText } from "./terms";

/**
 * The index of a base: chunks, their postings and their vectors, and the counters BM25 needs.
 *
 * Locks are taken in one order, so that nobody waits in a circle: the base's row, then the document's, then its chunks.
 * Whoever passes a client of an open transaction must therefore not hold the document's row yet.
 */
type Queryable = pg.Pool | pg.PoolClient;

export type StoreChunks = {
  workspaceId: string;
  baseId: string;
  documentId: string;
  /** The document's revision these chunks are of. */
  revision: number;
  /** The base's generation that `embeddings` belong to. */
  generation: number;
  chunks: readonly ChunkDraft[];
  /** One for each chunk, or null: the vectors are then filled in after the document went live. */
  embeddings: readonly (readonly number[])[] | null;
  dims: number;
};

export type PublishRevision = { workspaceId: string; baseId: string; documentId: string; revision: number };

/** About 5,000 postings: some 100 ms, so that nobody on the embedded database waits long. */
const CHUNKS_A_STATEMENT = 50;

/** The same chunk again gets the same id, so a second attempt stores nothing twice. */
export function chunkIdOf(documentId: string, revision: number, position: number): string {
  return deriveId(documentId, `chunk/${revision}/${position}`);
}

/**
 * Stores chunks of a revision that is not searched yet, with postings and vectors. Idempotent. Stores nothing when the document
 * is gone, has a newer revision, or this one is live already; vectors of a generation the base has left are not kept.
 */
export async function storeChunks(client: Queryable, input: StoreChunks): Promise<void> {
  const { chunks, embeddings } = input;
  if (embeddings && embeddings.length !== chunks.length) {
    throw new Error(`${embeddings.length} vectors for ${chunks.length} chunks`);
  }
  for (let from = 0; from < chunks.length; from += CHUNKS_A_STATEMENT) {
    const to = from + CHUNKS_A_STATEMENT;
    const batch = { ...input, chunks: chunks.slice(from, to), embeddings: embeddings?.slice(from, to) ?? null };
    await within(client, (transaction) => storeBatch(transaction, batch));
  }
}

async function storeBatch(client: pg.PoolClient, input: StoreChunks): Promise<void> {
  const { workspaceId, baseId, documentId, revision, generation, chunks, embeddings, dims } = input;
  // Rows are locked in the order they are named in: the base, then the document.
  const target = await client.query<{ takesVectors: boolean }>(
    `SELECT b.generation = $5 AND b.dims = $6 AS "takesVectors"
     FROM knowledge_bases b JOIN documents d ON d.workspace_id = b.workspace_id AND d.base_id = b.id
     WHERE b.workspace_id = $1 AND b.id = $2 AND d.id = $3 AND d.revision = $4 AND d.live_revision < $4
     FOR SHARE OF b, d`,
    [workspaceId, baseId, documentId, revision, generation, dims],
  );
  if (!target.rows[0]) return;

  const ids = chunks.map(({ position }) => chunkIdOf(documentId, revision, position));
  const counted = chunks.map((chunk) => countTerms(indexedText(chunk)));
  await client.query(
    `INSERT INTO chunks (id, workspace_id, base_id, document_id, revision, position, text, heading, page, starts_at, terms)
     SELECT c.id, $1, $2, $3, $4, c.position, c.text, c.heading, c.page, c.starts_at, c.terms
     FROM unnest($5::uuid[], $6::int[], $7::text[], $8::text[], $9::int[], $10::int[], $11::int[])
       AS c (id, position, text, heading, page, starts_at, terms)
     ON CONFLICT DO NOTHING`,
    [
      ...[workspaceId, baseId, documentId, revision, ids],
      chunks.map(({ position }) => position),
      chunks.map(({ text }) => text),
      chunks.map(({ heading }) => heading),
      chunks.map(({ page }) => page),
      chunks.map(({ startsAt }) => startsAt),
      counted.map(({ length }) => length),
    ],
  );
  const postings = counted.flatMap(({ frequencies }, i) =>
    [...frequencies].map(([term, frequency]) => ({ of: i + 1, term, frequency })),
  );
  await client.query(
    `INSERT INTO postings (base_id, term, chunk_id, frequency, length)
     SELECT $1, p.term, ($2::uuid[])[p.of], p.frequency, ($3::int[])[p.of]
     FROM unnest($4::int[], $5::text[], $6::int[]) AS p (of, term, frequency)
     ON CONFLICT DO NOTHING`,
    [
      ...[baseId, ids, counted.map(({ length }) => length)],
      postings.map(({ of }) => of),
      postings.map(({ term }) => term),
      postings.map(({ frequency }) => frequency),
    ],
  );
  if (embeddings && target.rows[0].takesVectors) {
    await storeVectors(client, { baseId, generation, dims, chunkIds: ids, vectors: embeddings });
  }
}

export type StoreVectors = {
  baseId: string;
  generation: number;
  dims: number;
  chunkIds: readonly string[];
  vectors: readonly (readonly number[])[];
};

/** Idempotent. Chunks that are gone meanwhile are left out. */
export async function storeVectors(client: Queryable, input: StoreVectors): Promise<void> {
  const { baseId, generation, dims, chunkIds, vectors } = input;
  await client.query(
    `INSERT INTO chunk_embeddings (chunk_id, generation, base_id, dims, embedding)
     SELECT c.id, $2, $1, $3, v.embedding::vector
     FROM unnest($4::uuid[], $5::text[]) AS v (id, embedding) JOIN chunks c ON c.base_id = $1 AND c.id = v.id
     ON CONFLICT DO NOTHING`,
    [baseId, generation, dims, chunkIds, vectors.map((vector) => `[${vector.join(",")}]`)],
  );
}

/**
 * Makes a revision the one that is searched, all at once: its chunks are counted, those of other revisions go. Returns false,
 * and changes nothing, when the document is gone or has a newer revision. Publishing again what is live changes nothing.
 * The caller sets the document's status in the same transaction, after this.
 */
export async function publishRevision(client: Queryable, input: PublishRevision): Promise<boolean> {
  return within(client, (transaction) => publish(transaction, input));
}

async function publish(
  client: pg.PoolClient,
  { workspaceId, baseId, documentId, revision }: PublishRevision,
): Promise<boolean> {
  await lockBase(client, workspaceId, baseId);
  const { rows } = await client.query<{ live: number }>(
    `SELECT live_revision AS live FROM documents
     WHERE workspace_id = $1 AND base_id = $2 AND id = $3 AND revision = $4 FOR NO KEY UPDATE`,
    [workspaceId, baseId, documentId, revision],
  );
  if (!rows[0]) return false;
  if (rows[0].live === revision) return true;
  const counted = await client.query<{ others: number }>(
    `WITH sums AS (
       SELECT count(*) FILTER (WHERE revision = $4)::int AS chunks, count(*) FILTER (WHERE revision <> $4)::int AS others,
         count(*) FILTER (WHERE revision = $5)::int AS chunks_before,
         coalesce(sum(terms) FILTER (WHERE revision = $4), 0) - coalesce(sum(terms) FILTER (WHERE revision = $5), 0) AS terms
       FROM chunks WHERE document_id = $3 AND workspace_id = $1
     ), counted AS (
       UPDATE knowledge_bases b SET chunk_count = b.chunk_count + sums.chunks - sums.chunks_before,
         term_count = b.term_count + sums.terms, updated_at = now()
       FROM sums WHERE b.workspace_id = $1 AND b.id = $2
     )
     UPDATE documents d SET live_revision = $4, chunk_count = sums.chunks FROM sums WHERE d.workspace_id = $1 AND d.id = $3
     RETURNING sums.others`,
    [workspaceId, baseId, documentId, revision, rows[0].live],
  );
  if (counted.rows[0]?.others) await deleteChunks(client, documentId, { except: revision });
  await askForMissingVectors(client, { workspaceId, baseId, documentId });
  return true;
}

export async function lockBase(client: pg.PoolClient, workspaceId: string, baseId: string): Promise<void> {
  await client.query("SELECT 1 FROM knowledge_bases WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE", [
    workspaceId,
    baseId,
  ]);
}

/** Deletes the document's chunks of all revisions but one, or of those below one, with postings and vectors, some at a time. */
export async function deleteChunks(
  client: Queryable,
  documentId: string,
  revisions: { except: number } | { below: number },
): Promise<void> {
  const [which, revision] =
    "except" in revisions ? ["revision <> $2", revisions.except] : ["revision < $2", revisions.below];
  for (let deleted = CHUNKS_A_DELETE; deleted === CHUNKS_A_DELETE; ) {
    const { rowCount } = await client.query(
      `DELETE FROM chunks WHERE id IN (
         SELECT id FROM chunks WHERE document_id = $1 AND ${which} LIMIT $3)`,
      [documentId, revision, CHUNKS_A_DELETE],
    );
    deleted = rowCount ?? 0;
  }
}
const CHUNKS_A_DELETE = 500;

/** What went live without vectors (no model answered, or the base changed its model meanwhile) is filled in the background. */
async function askForMissingVectors(
  client: pg.PoolClient,
  { workspaceId, baseId, documentId }: Omit<PublishRevision, "revision">,
): Promise<void> {
  await client.query(
    `UPDATE knowledge_bases b SET next_embedding = jsonb_build_object(
         'generation', b.generation, 'embeddingModel', b.embedding_model, 'dims', b.dims)
     WHERE b.workspace_id = $1 AND b.id = $2 AND b.next_embedding IS NULL AND EXISTS (
       SELECT 1 FROM chunks c WHERE c.document_id = $3 AND NOT EXISTS (
         SELECT 1 FROM chunk_embeddings e WHERE e.chunk_id = c.id AND e.generation = b.generation))`,
    [workspaceId, baseId, documentId],
  );
}

function within<T>(client: Queryable, work: (transaction: pg.PoolClient) => Promise<T>): Promise<T> {
  if (!(client instanceof pg.Pool)) return work(client);
  return inTransaction(work);
}
