import { pool } from "@/server/db";
import { ACTIVE_STATUSES } from "@/server/engine/state";
import { ofRun } from "@/server/runs/queries/of-run";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { RunCounts } from "../schema";

/** The numbers of the home page. A day begins at midnight UTC; money counts answered calls, not whole runs. */
export async function countRuns(workspaceId: WorkspaceId): Promise<RunCounts> {
  const { rows } = await pool().query<RunCounts>(
    `SELECT
       (SELECT count(*)::int FROM runs
        WHERE workspace_id = $1 AND removing_at IS NULL AND status = ANY($2::run_status[])) AS active,
       (SELECT count(*)::int FROM runs
        WHERE workspace_id = $1 AND removing_at IS NULL AND status = ANY($2::run_status[]) AND archived_at IS NOT NULL) AS "activeArchived",
       (SELECT count(*)::int FROM human_requests WHERE workspace_id = $1 AND status = 'open') AS waiting,
       (SELECT count(*)::int FROM dead_letters WHERE workspace_id = $1 AND status = 'open') AS "deadLetters",
       (SELECT count(*)::int FROM runs
        WHERE workspace_id = $1 AND status = 'failed' AND finished_at > now() - interval '1 day'
          AND NOT EXISTS (SELECT FROM run_imports i WHERE i.run_id = runs.id)) AS "failedLastDay",
       -- Run by run, so that the steps of days past are not read; and what removed runs had spent by then.
       (SELECT coalesce(sum(spent.nano_usd), 0)::float8 + (
          SELECT coalesce(sum(day_cost_nano_usd), 0)::float8 FROM removed_runs
          WHERE workspace_id = $1 AND removed_at >= date_trunc('day', now(), 'UTC'))
        FROM runs r
        CROSS JOIN (SELECT date_trunc('day', now(), 'UTC') AS midnight) today
        CROSS JOIN LATERAL (
          SELECT sum(c.cost_nano_usd) AS nano_usd FROM steps s
          JOIN usages c ON c.agent_run_id = s.agent_run_id AND c.position = s.position
          WHERE ${ofRun("s", "r.id")} AND s.workspace_id = r.workspace_id AND s.finished_at >= today.midnight
        ) spent
        WHERE r.workspace_id = $1 AND r.removing_at IS NULL AND (r.finished_at IS NULL OR r.finished_at >= today.midnight)
          AND NOT EXISTS (SELECT FROM run_imports i WHERE i.run_id = r.id)) AS "spentTodayNanoUsd",
       (SELECT json_build_object('by', coalesce(runs_paused_by, ''), 'at', iso(runs_paused_at)) FROM workspaces
        WHERE id = $1 AND runs_paused_at IS NOT NULL) AS paused`,
    [workspaceId, ACTIVE_STATUSES],
  );
  const [counts] = rows;
  if (!counts) throw new Error("numbers without a row");
  return counts;
}
