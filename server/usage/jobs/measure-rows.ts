import { pool } from "@/server/db";
import { STORED_NOW } from "@/server/stored-now";

/** Between two measurements, where something changed; where nothing did, longer. */
const EVERY_S = 180;
const IDLE_EVERY_S = 900;
/** Measuring takes at most this share of the time, however much there is. */
const REST_FOR_EACH_PART = 50;

export async function claimMeasurement(workerId: string): Promise<string | null> {
  await pool().query(
    `INSERT INTO workspace_upkeep (workspace_id) SELECT id FROM workspaces w
     WHERE NOT EXISTS (SELECT 1 FROM workspace_upkeep u WHERE u.workspace_id = w.id) ON CONFLICT DO NOTHING`,
  );
  const { rows } = await pool().query<{ id: string }>(
    `UPDATE workspace_upkeep SET worker_id = $1 WHERE workspace_id = (
       SELECT workspace_id FROM workspace_upkeep u WHERE u.measure_due_at <= ${STORED_NOW} AND (u.worker_id IS NULL OR u.worker_id = $1
         OR NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = u.worker_id))
       ORDER BY u.measure_due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING workspace_id AS id`,
    [workerId],
  );
  return rows[0]?.id ?? null;
}

export async function readMeasuredBytes(workspaceId: string): Promise<number> {
  const { rows } = await pool().query<{ bytes: number }>(
    "SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM workspace_usage WHERE workspace_id = $1",
    [workspaceId],
  );
  return rows[0]?.bytes ?? 0;
}

/** What was asked for meanwhile stays due. */
export async function finishMeasurement(
  workspaceId: string,
  { workerId, tookMs, isIdle }: { workerId: string; tookMs: number; isIdle: boolean },
): Promise<void> {
  const restS = Math.max(isIdle ? IDLE_EVERY_S : EVERY_S, (tookMs / 1000) * REST_FOR_EACH_PART);
  await pool().query(
    `WITH done AS (UPDATE workspace_upkeep SET worker_id = NULL, measure_due_at = CASE
         WHEN measure_due_at > now() - make_interval(secs => $4) THEN measure_due_at ELSE now() + make_interval(secs => $3) END
       WHERE workspace_id = $1 AND worker_id = $2 RETURNING workspace_id)
     SELECT tell_changed(workspace_id, 'usage', NULL) FROM done`,
    [workspaceId, workerId, restS, tookMs / 1000],
  );
}

export async function releaseMeasurements(workerId: string): Promise<void> {
  await pool().query("UPDATE workspace_upkeep SET worker_id = NULL WHERE worker_id = $1", [workerId]);
}
