import { pool } from "@/server/db";
import type { WorkHub } from "@/server/engine/hub";
import { logger } from "@/server/logger";
import { lookNowAndThen } from "@/server/look-now-and-then";
import { ModelError } from "@/server/models/model";
import { embedderFor } from "./embedders";
import {
  deleteVectors,
  findUnembedded,
  finishReembedding,
  NO_ID,
  type ReembedJob,
  storeReembedded,
  type UnembeddedChunk,
} from "./re-embed";
import { indexedText } from "./terms";

/** Safety net for a hint that was lost, and for jobs of workers that are gone. */
const LOOK_EVERY_MS = 2_000;
const CHUNKS_A_BATCH = 64;
const RETRY_AFTER_MS = 15_000;
/** A wrong key or a deleted model wants a person first. */
const RETRY_REFUSED_AFTER_MS = 120_000;
/** However long an endpoint asks to wait. */
const LONGEST_WAIT_MS = 60 * 60_000;

export type ReembedderOptions = {
  /** Must be the id under which this process's heartbeat is kept: others take over what belongs to nobody alive. */
  workerId: string;
  hub: Pick<WorkHub, "on">;
};

/** Fills in vectors in the background until it is closed, one base at a time. */
export function startReembedder({ workerId, hub }: ReembedderOptions): { close(): Promise<void> } {
  const failed = "vectors could not be filled in; it is tried again";
  const looks = lookNowAndThen({ everyMs: LOOK_EVERY_MS, failed }, async (signal) => {
    for (let job = await claim(workerId); job && !signal.aborted; job = await claim(workerId)) {
      await reembedBase(job, signal);
    }
  });
  hub.on("base", looks.wake);
  return {
    async close() {
      await looks.close();
      await release(workerId).catch(() => {});
    },
  };
}

/** Carries a job on from what is stored; another worker goes on the same way. */
export async function reembedBase(job: ReembedJob, signal: AbortSignal): Promise<void> {
  try {
    for (;;) {
      if (!(await fill(job, signal))) return;
      const outcome = await finishReembedding(job);
      if (outcome === "not-ours") return;
      if (outcome === "switched") return await deleteVectors(pool(), job.baseId, job.generation);
    }
  } catch (error) {
    if (signal.aborted) return;
    logger.warn({ err: error, baseId: job.baseId }, "vectors of a base could not be filled in; it is tried again");
    await putOff(job, error);
  }
}

/** False when the job is no longer this worker's or the worker is closing. */
async function fill(job: ReembedJob, signal: AbortSignal): Promise<boolean> {
  const embedder = await embedderFor(job.workspaceId, job.embeddingModel, job.dims);
  let after = NO_ID;
  for (;;) {
    const chunks: UnembeddedChunk[] = await findUnembedded(pool(), job, { after, limit: CHUNKS_A_BATCH });
    if (chunks.length === 0) return true;
    const vectors = await embedder.embed(chunks.map(indexedText), { signal });
    const ids = chunks.map(({ id }) => id);
    if (signal.aborted || !(await storeReembedded(job, ids, vectors))) return false;
    after = ids.at(-1) ?? after;
  }
}

/** Takes a base whose vectors wait for somebody: nobody's, this worker's own, or a dead worker's. */
async function claim(workerId: string): Promise<ReembedJob | null> {
  const { rows } = await pool().query<ReembedJob>({
    name: "claim_reembedding",
    text: `UPDATE knowledge_bases b SET next_embedding = b.next_embedding || jsonb_build_object('workerId', $1::text)
      WHERE b.id = (SELECT id FROM knowledge_bases c WHERE c.next_embedding IS NOT NULL
          AND coalesce((c.next_embedding ->> 'notBefore')::timestamptz, now()) <= now()
          AND (c.next_embedding ->> 'workerId' IS NULL OR c.next_embedding ->> 'workerId' = $1
            OR NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = c.next_embedding ->> 'workerId'))
        ORDER BY c.updated_at, c.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
      RETURNING b.workspace_id AS "workspaceId", b.id AS "baseId", (b.next_embedding ->> 'generation')::int AS generation,
        b.next_embedding ->> 'embeddingModel' AS "embeddingModel", (b.next_embedding ->> 'dims')::int AS dims,
        b.next_embedding ->> 'workerId' AS "workerId"`,
    values: [workerId],
  });
  return rows[0] ?? null;
}

/** Leaves the job for later and says why on the base. */
async function putOff(job: ReembedJob, error: unknown): Promise<void> {
  const isRefused = error instanceof ModelError && !error.retryable;
  const afterMs = error instanceof ModelError ? Math.min(error.retryAfterMs ?? 0, LONGEST_WAIT_MS) : 0;
  const problem =
    error instanceof ModelError ? error.message : "Something went wrong on the server. Its log says what.";
  await pool().query(
    `UPDATE knowledge_bases SET next_embedding = next_embedding - 'workerId' || jsonb_build_object('problem', $4::text,
       'notBefore', now() + make_interval(secs => $5))
     WHERE workspace_id = $1 AND id = $2 AND next_embedding @> $3::jsonb`,
    [
      ...[job.workspaceId, job.baseId, { generation: job.generation, workerId: job.workerId }, problem],
      Math.max(afterMs, isRefused ? RETRY_REFUSED_AFTER_MS : RETRY_AFTER_MS) / 1000,
    ],
  );
  await pool().query("SELECT tell_changed($1, 'documents', $2)", [job.workspaceId, job.baseId]);
}

async function release(workerId: string): Promise<void> {
  await pool().query(
    `UPDATE knowledge_bases SET next_embedding = next_embedding - 'workerId' WHERE next_embedding ->> 'workerId' = $1`,
    [workerId],
  );
}
