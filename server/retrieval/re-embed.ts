import type pg from "pg";
import { settingsAfter } from "@/server/knowledge/rules";
import { retrievalSettings } from "@/server/knowledge/schema";
import { inTransaction } from "@/server/transaction";
import { lockBase, storeVectors } from "./store-chunks";

/**
 * A base's vectors come in generations. A change of the embedding model fills the next one in the background while the present
 * one answers, and switches when every live passage has its vector. The same job with the present generation as its target
 * fills in what went live without vectors.
 */
export type NextEmbedding = { generation: number; embeddingModel: string; dims: number };
export type ReembedJob = NextEmbedding & { workspaceId: string; baseId: string; workerId: string };
export type UnembeddedChunk = { id: string; heading: string; text: string };

type Begin = { workspaceId: string; baseId: string; embeddingModel: string; dims: number };
type BaseRow = NextEmbedding & { next: NextEmbedding | null; chunks: number; settings: unknown };

const VECTORS_A_DELETE = 2_000;

/** Sets the target; the caller holds the base's lock. An empty base switches at once. */
export async function beginReembedding(client: pg.PoolClient, to: Begin): Promise<void> {
  const { rows } = await client.query<BaseRow>(
    `SELECT embedding_model AS "embeddingModel", generation, dims, next_embedding AS next, chunk_count AS chunks, settings
     FROM knowledge_bases WHERE workspace_id = $1 AND id = $2`,
    [to.workspaceId, to.baseId],
  );
  const base = rows[0];
  if (!base) return;
  const isSame = base.embeddingModel === to.embeddingModel && base.dims === to.dims;
  // Filling in what is missing goes on.
  if (isSame && (base.next === null || base.next.generation === base.generation)) return;
  if (base.next?.embeddingModel === to.embeddingModel && base.next.dims === to.dims) return;

  // A number is used again only when nothing of it is left.
  await deleteVectors(client, to.baseId, base.generation);
  const next: NextEmbedding = { generation: base.generation + 1, embeddingModel: to.embeddingModel, dims: to.dims };
  if (isSame) return setNext(client, to, null);
  if (base.chunks > 0) return setNext(client, to, next);
  await switchTo(client, { ...to, ...next }, base);
}

function setNext(client: pg.PoolClient, { workspaceId, baseId }: Begin, next: NextEmbedding | null): Promise<void> {
  return client
    .query("UPDATE knowledge_bases SET next_embedding = $3, updated_at = now() WHERE workspace_id = $1 AND id = $2", [
      workspaceId,
      baseId,
      next,
    ])
    .then(() => undefined);
}

async function switchTo(
  client: pg.PoolClient,
  { workspaceId, baseId, generation, embeddingModel, dims }: NextEmbedding & { workspaceId: string; baseId: string },
  from: Pick<BaseRow, "embeddingModel" | "settings">,
): Promise<void> {
  const settings = settingsAfter(retrievalSettings.parse(from.settings), from.embeddingModel, embeddingModel);
  await client.query(
    `UPDATE knowledge_bases SET embedding_model = $3, generation = $4, dims = $5, settings = $6, next_embedding = NULL, updated_at = now()
     WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, baseId, embeddingModel, generation, dims, settings],
  );
}

/** Vectors of all generations but one, some at a time. */
export async function deleteVectors(client: pg.Pool | pg.PoolClient, baseId: string, except: number): Promise<void> {
  for (let deleted = VECTORS_A_DELETE; deleted === VECTORS_A_DELETE; ) {
    const { rowCount } = await client.query(
      `DELETE FROM chunk_embeddings WHERE base_id = $1 AND (chunk_id, generation) IN (
         SELECT chunk_id, generation FROM chunk_embeddings WHERE base_id = $1 AND generation <> $2 LIMIT $3)`,
      [baseId, except, VECTORS_A_DELETE],
    );
    deleted = rowCount ?? 0;
  }
}

/** Live passages after `after` that have no vector of the job's generation yet. */
export async function findUnembedded(
  client: pg.Pool | pg.PoolClient,
  { workspaceId, baseId, generation }: ReembedJob,
  { after, limit }: { after: string; limit: number },
): Promise<UnembeddedChunk[]> {
  const { rows } = await client.query<UnembeddedChunk>(
    `SELECT c.id, c.heading, c.text FROM chunks c
     JOIN documents d ON d.id = c.document_id AND d.live_revision = c.revision
     WHERE c.workspace_id = $1 AND c.base_id = $2 AND c.id > $4 AND NOT EXISTS (
       SELECT 1 FROM chunk_embeddings e WHERE e.chunk_id = c.id AND e.generation = $3)
     ORDER BY c.id LIMIT $5`,
    [workspaceId, baseId, generation, after, limit],
  );
  return rows;
}

/** Returns false, and stores nothing, when the job is no longer this worker's. */
export function storeReembedded(
  job: ReembedJob,
  chunkIds: readonly string[],
  vectors: readonly (readonly number[])[],
): Promise<boolean> {
  return inTransaction(async (client) => {
    if (!(await isStillOurs(client, job, "FOR SHARE"))) return false;
    await storeVectors(client, { ...job, chunkIds, vectors });
    await client.query("SELECT tell_changed($1, 'documents', $2)", [job.workspaceId, job.baseId]);
    return true;
  });
}

/**
 * Ends the job when every live passage has its vector: searches use the new generation from here on. Publishing waits for the
 * same lock, so nothing goes live in between. Returns what happened.
 */
export function finishReembedding(job: ReembedJob): Promise<"switched" | "passages-missing" | "not-ours"> {
  return inTransaction(async (client) => {
    await lockBase(client, job.workspaceId, job.baseId);
    if (!(await isStillOurs(client, job, "FOR NO KEY UPDATE"))) return "not-ours";
    const [missing] = await findUnembedded(client, job, { after: NO_ID, limit: 1 });
    if (missing) return "passages-missing";
    const { rows } = await client.query<BaseRow>(
      `SELECT embedding_model AS "embeddingModel", settings FROM knowledge_bases WHERE workspace_id = $1 AND id = $2`,
      [job.workspaceId, job.baseId],
    );
    if (rows[0]) await switchTo(client, job, rows[0]);
    await client.query("SELECT tell_changed($1, 'documents', $2)", [job.workspaceId, job.baseId]);
    return "switched";
  });
}

/** Before the first of all ids. */
export const NO_ID = "00000000-0000-0000-0000-000000000000";

async function isStillOurs(client: pg.PoolClient, job: ReembedJob, lock: "FOR SHARE" | "FOR NO KEY UPDATE") {
  const { workspaceId, baseId, generation, embeddingModel, workerId } = job;
  const { rowCount } = await client.query(
    `SELECT 1 FROM knowledge_bases WHERE workspace_id = $1 AND id = $2 AND next_embedding @> $3::jsonb ${lock}`,
    [workspaceId, baseId, { generation, embeddingModel, workerId }],
  );
  return rowCount === 1;
}
