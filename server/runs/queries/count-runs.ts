import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { RunCounts } from "../schema";

/** The numbers of the home page. A day begins at midnight UTC; money counts answered calls, not whole runs. */
export async function countRuns(workspaceId: WorkspaceId): Promise<RunCounts> {
  const { rows } = await pool().query<RunCounts>(
    `SELECT
       (SELECT count(*)::int FROM runs
        WHERE workspace_id = $1 AND status NOT IN ('completed', 'failed', 'aborted')) AS active,
       (SELECT count(*)::int FROM human_requests WHERE workspace_id = $1 AND status = 'open') AS waiting,
       (SELECT count(*)::int FROM runs
        WHERE workspace_id = $1 AND status = 'failed' AND finished_at > now() - interval '1 day') AS "failedLastDay",
       (SELECT coalesce(sum(c.cost_nano_usd), 0)::float8
        FROM runs r
        JOIN steps s ON s.run_id = r.id
        JOIN usages c ON c.agent_run_id = s.agent_run_id AND c.position = s.position
        CROSS JOIN (SELECT date_trunc('day', now(), 'UTC') AS midnight) today
        WHERE r.workspace_id = $1 AND s.workspace_id = $1 AND s.finished_at >= today.midnight
          AND (r.finished_at IS NULL OR r.finished_at >= today.midnight)) AS "spentTodayNanoUsd"`,
    [workspaceId],
  );
  return rows[0] ?? { active: 0, waiting: 0, failedLastDay: 0, spentTodayNanoUsd: 0 };
}
