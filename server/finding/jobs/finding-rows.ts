import { pool } from "@/server/db";
import type { ComparedBy } from "@/server/retrieval/compared-by";
import { STORED_NOW } from "@/server/stored-now";
import type { WorkspaceId } from "@/server/workspaces/scope";

/** A workspace's setting, due to be looked at; `workspaceId` is proven by its row. */
export type FindingJob = ComparedBy & {
  workspaceId: WorkspaceId;
  workerId: string;
  /** All rows are looked through, not only the recent ones. */
  isSweep: boolean;
  /** Failures in a row. */
  failures: number;
};

/** All rows, now and then: forks keep old ones, and a worker may have been away. */
const SWEEP_EVERY = "interval '10 minutes'";

/** Nobody's, this worker's own, or a dead worker's. */
const IS_FREE = `(f.worker_id IS NULL OR f.worker_id = $1 OR NOT EXISTS (SELECT FROM workers w WHERE w.id = f.worker_id))`;
const JOB = `f.workspace_id AS "workspaceId", $1::text AS "workerId", f.embedding_model AS model, f.dims, f.failures,
  (f.swept_at IS NULL OR f.swept_at < now() - ${SWEEP_EVERY}) AS "isSweep"`;

/** Settings whose model may be asked now. */
export async function listDue(workerId: string): Promise<FindingJob[]> {
  const { rows } = await pool().query<FindingJob>(
    `SELECT ${JOB} FROM finding_settings f WHERE f.next_try_at <= ${STORED_NOW} AND ${IS_FREE} ORDER BY f.next_try_at, f.workspace_id`,
    [workerId],
  );
  return rows;
}

/** Null: somebody else has it, or another model was chosen. */
export async function claimFinding({ workspaceId, workerId, model, dims }: FindingJob): Promise<FindingJob | null> {
  const { rows } = await pool().query<FindingJob>(
    `UPDATE finding_settings f SET worker_id = $1
     WHERE f.workspace_id = (SELECT f.workspace_id FROM finding_settings f WHERE f.workspace_id = $2 AND f.embedding_model = $3 AND f.dims = $4
       AND f.next_try_at <= ${STORED_NOW} AND ${IS_FREE} FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING ${JOB}`,
    [workerId, workspaceId, model, dims],
  );
  return rows[0] ?? null;
}

/** $1 to $4: whose job it is and of which model; nothing is written once that is over. */
const STILL_OURS = "workspace_id = $1 AND worker_id = $2 AND embedding_model = $3 AND dims = $4";
const ours = ({ workspaceId, workerId, model, dims }: FindingJob) => [workspaceId, workerId, model, dims];

/** After a batch that was made. False: the job is no longer this worker's. */
export async function markMade(job: FindingJob, refusal: string | null): Promise<boolean> {
  const { rowCount } = await pool().query(
    `UPDATE finding_settings SET failures = 0, problem = NULL, refusal = coalesce($5, refusal) WHERE ${STILL_OURS}`,
    [...ours(job), refusal],
  );
  return rowCount === 1;
}

/** Open pages read again how far it is. */
export async function tellProgress({ workspaceId }: FindingJob): Promise<void> {
  await pool().query("SELECT tell_changed($1, 'finding', NULL)", [workspaceId]);
}

/** Everything of this look is made. */
export async function markDone(job: FindingJob): Promise<void> {
  await pool().query(
    `UPDATE finding_settings SET worker_id = NULL, failures = 0, problem = NULL, swept_at = CASE WHEN $5 THEN now() ELSE swept_at END
     WHERE ${STILL_OURS}`,
    [...ours(job), job.isSweep],
  );
}

/** Nothing was to be made, of all rows. */
export async function markSwept({ workspaceId, model, dims }: FindingJob): Promise<void> {
  await pool().query(
    `UPDATE finding_settings SET swept_at = now(), failures = 0, problem = NULL WHERE workspace_id = $1 AND embedding_model = $2 AND dims = $3`,
    [workspaceId, model, dims],
  );
}

/** Leaves it for later and says why, for the setting's page. */
export async function putOff(job: FindingJob, problem: string, afterMs: number): Promise<void> {
  await pool().query(
    `UPDATE finding_settings SET worker_id = NULL, failures = failures + 1, problem = $5, next_try_at = now() + make_interval(secs => $6)
     WHERE ${STILL_OURS}`,
    [...ours(job), problem, afterMs / 1000],
  );
  await tellProgress(job);
}

export async function releaseFinding(workerId: string): Promise<void> {
  await pool().query("UPDATE finding_settings SET worker_id = NULL WHERE worker_id = $1", [workerId]);
}
