import { pool } from "@/server/db";
import { STORED_NOW } from "@/server/stored-now";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { KEPT_DAYS } from "../constants";

/** A claimed receiver; `workspaceId` is proven by the claim. */
export type SinkJob = {
  workspaceId: WorkspaceId;
  workerId: string;
  url: string;
  headersSealed: string | null;
  withContent: boolean;
  failures: number;
};

/** No commit of an agent run's end takes longer: what ended before and is not there by now will not come. */
const SETTLED_AFTER = "interval '10 minutes'";
const AGENT_RUNS_A_LOOK = 100;

/** Of a fork also what was copied: it ended long ago, and belongs to the fork's own trace once that is over, as if it had ended then. */
const UNSENT = `
  SELECT a.id, a.finished_at FROM agent_runs a
  WHERE a.workspace_id = k.workspace_id AND a.finished_at >= k.settled_at AND a.status IN ('completed', 'failed', 'aborted')
    AND NOT EXISTS (SELECT FROM trace_exports e WHERE e.agent_run_id = a.id)
  UNION
  SELECT c.id, a.finished_at FROM agent_runs a
  JOIN runs r ON r.workspace_id = a.workspace_id AND r.id = a.run_id AND r.forked_from_run_id IS NOT NULL
  JOIN agent_runs c ON c.run_id = a.run_id AND c.finished_at < k.settled_at AND c.status IN ('completed', 'failed', 'aborted')
  WHERE a.workspace_id = k.workspace_id AND a.finished_at >= k.settled_at AND a.parent_id IS NULL
    AND NOT EXISTS (SELECT FROM trace_exports e WHERE e.agent_run_id = c.id)`;

/** Workspaces with something to send, and a receiver that may be asked now. */
export async function findDueSinks(): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT k.workspace_id AS id FROM trace_sinks k
     WHERE k.enabled AND k.next_try_at <= ${STORED_NOW} AND EXISTS (${UNSENT}) ORDER BY k.next_try_at, k.workspace_id`,
  );
  return rows.map(({ id }) => id);
}

/** Null: somebody else has it, or it was turned off. */
export async function claimSink(workspaceId: string, workerId: string): Promise<SinkJob | null> {
  const { rows } = await pool().query<SinkJob>(
    `UPDATE trace_sinks k SET worker_id = $2
     WHERE k.workspace_id = (SELECT workspace_id FROM trace_sinks s
       WHERE s.workspace_id = $1 AND s.enabled AND s.next_try_at <= ${STORED_NOW} AND (s.worker_id IS NULL OR s.worker_id = $2
         OR NOT EXISTS (SELECT FROM workers w WHERE w.id = s.worker_id)) FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING workspace_id AS "workspaceId", worker_id AS "workerId", url, headers_sealed AS "headersSealed",
       with_content AS "withContent", failures`,
    [workspaceId, workerId],
  );
  return rows[0] ?? null;
}

/** Ended agent runs that were not sent, those that ended first before others. */
export async function listUnsent(job: SinkJob): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT u.id FROM trace_sinks k CROSS JOIN LATERAL (${UNSENT}) u WHERE k.workspace_id = $1
     ORDER BY u.finished_at, u.id LIMIT ${AGENT_RUNS_A_LOOK}`,
    [job.workspaceId],
  );
  return rows.map(({ id }) => id);
}

/** What was sent is not sent again; a receiver that took something works. False: somebody else has it now. */
export async function markSent(
  job: SinkJob,
  agentRunIds: readonly string[],
  { sent, dropped }: { sent: number; dropped: number },
): Promise<boolean> {
  const { rowCount } = await pool().query(
    `WITH mine AS (UPDATE trace_sinks SET sent = sent + $4, dropped = dropped + $5, sent_at = now(), failures = 0,
         failing_since = NULL, problem = NULL WHERE workspace_id = $1 AND worker_id = $2 RETURNING workspace_id)
     INSERT INTO trace_exports (agent_run_id, workspace_id) SELECT id, workspace_id FROM mine, unnest($3::uuid[]) id
     ON CONFLICT DO NOTHING`,
    [job.workspaceId, job.workerId, agentRunIds, sent, dropped],
  );
  return rowCount !== null && rowCount > 0;
}

export async function markFailed(job: SinkJob, problem: string, retryInMs: number): Promise<void> {
  await pool().query(
    `UPDATE trace_sinks SET failures = failures + 1, failing_since = coalesce(failing_since, now()), problem = $3,
       next_try_at = now() + make_interval(secs => $4)
     WHERE workspace_id = $1 AND worker_id = $2`,
    [job.workspaceId, job.workerId, problem, retryInMs / 1000],
  );
}

export async function releaseSink(job: Pick<SinkJob, "workspaceId" | "workerId">): Promise<void> {
  await pool().query("UPDATE trace_sinks SET worker_id = NULL WHERE workspace_id = $1 AND worker_id = $2", [
    job.workspaceId,
    job.workerId,
  ]);
}

/**
 * Moves each receiver's mark on: past what is sent, and past what could not be sent for too long, which is given up and counted.
 * What was remembered of what lies behind it goes.
 */
export async function settleSinks(): Promise<void> {
  await pool().query(
    `WITH given_up AS (
       SELECT k.workspace_id, greatest(k.settled_at, now() - interval '${KEPT_DAYS} days') AS until,
         (SELECT count(*) FROM agent_runs a WHERE a.workspace_id = k.workspace_id AND a.finished_at >= k.settled_at
            AND a.finished_at < now() - interval '${KEPT_DAYS} days' AND a.status IN ('completed', 'failed', 'aborted')
            AND NOT EXISTS (SELECT FROM trace_exports e WHERE e.agent_run_id = a.id)) AS dropped
       FROM trace_sinks k WHERE k.enabled AND k.settled_at < now() - interval '${KEPT_DAYS} days')
     UPDATE trace_sinks k SET settled_at = g.until, dropped = k.dropped + g.dropped
     FROM given_up g WHERE g.workspace_id = k.workspace_id`,
  );
  await pool().query(
    `UPDATE trace_sinks k SET settled_at = greatest(k.settled_at,
       least(now() - ${SETTLED_AFTER}, (SELECT min(u.finished_at) FROM (${UNSENT}) u)))
     WHERE k.enabled AND k.settled_at < now() - 2 * ${SETTLED_AFTER}`,
  );
  await pool().query(
    `DELETE FROM trace_exports e USING trace_sinks k WHERE k.workspace_id = e.workspace_id AND e.at < k.settled_at`,
  );
}
