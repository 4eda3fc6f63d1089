import { pool } from "@/server/db";

/** Measuring again and again while somebody deletes one thing after the other would only slow them down. */
const AT_MOST_EVERY_S = 5;

/** Much was removed: a worker measures the workspace soon, so that what went makes room. */
export async function askToMeasure(workspaceId: string): Promise<void> {
  await pool().query(
    `WITH due AS (
       INSERT INTO workspace_upkeep (workspace_id) VALUES ($1)
       ON CONFLICT (workspace_id) DO UPDATE SET measure_due_at = least(workspace_upkeep.measure_due_at, greatest(now(),
         (SELECT max(measured_at) FROM workspace_usage WHERE workspace_id = $1) + make_interval(secs => $2))))
     SELECT pg_notify('troupe_work', 'usage:' || $1)`,
    [workspaceId, AT_MOST_EVERY_S],
  );
}
