import type pg from "pg";
import type { Offer } from "./offers";
import { outsideDecision } from "./outside-decision";
import { DEFAULT_RUN_LIMITS } from "./run-limits";

const OFFERS: Offer[] = [
  { key: "stop", kind: "action", label: "Stop", description: "End the run. What was done stays." },
  { key: "go_on", kind: "action", label: "Go on", description: "Allowed only below the limit." },
];

type Overdue = {
  workspace_id: string;
  run_id: string;
  root_id: string;
  why: "max_duration_exceeded" | "progress_timeout";
  limit_ms: string;
  progress_at: Date;
};

/**
 * Ends runs that have used up their active time, or in which nothing was recorded for too long (AGT-LRR-06, AGT-LRR-14).
 * By the database's clock. Any worker may look; the first one ends it.
 */
export async function stopOverdueRuns(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<Overdue>({
    name: "overdue_runs",
    text: `select r.workspace_id, r.id as run_id, root.id as root_id, why, limit_ms, r.progress_at from runs r
      join agent_runs root on root.run_id = r.id and root.parent_id is null
      cross join lateral (
        select 'max_duration_exceeded' as why, coalesce((r.limits ->> 'maxActiveMs')::bigint, $1) as limit_ms
          where r.active_ms + extract(epoch from now() - r.active_since) * 1000 > coalesce((r.limits ->> 'maxActiveMs')::bigint, $1)
        union all
        select 'progress_timeout', coalesce((r.limits ->> 'stuckAfterMs')::bigint, $2)
          where extract(epoch from now() - r.progress_at) * 1000 > coalesce((r.limits ->> 'stuckAfterMs')::bigint, $2)
            -- Agents above are asked, and after them a person: nothing is stuck yet.
            and not exists (select from human_requests q
              where q.run_id = r.id and q.status = 'escalated' and q.escalated_until > now() - interval '1 minute')
        limit 1) overdue
      where r.status = 'running' limit 100`,
    values: [DEFAULT_RUN_LIMITS.maxActiveMs, DEFAULT_RUN_LIMITS.stuckAfterMs],
  });
  for (const { workspace_id, run_id, root_id, why, limit_ms, progress_at } of rows) {
    const minutes = Math.round(Number(limit_ms) / 60_000);
    const decision = outsideDecision({
      workspaceId: workspace_id,
      runId: run_id,
      agentRunId: root_id,
      kind: "limit",
      chosen: "stop",
      reason:
        why === "progress_timeout"
          ? `Nothing was recorded for ${minutes} minutes, which is this run's limit.`
          : `The run was at work for ${minutes} minutes, which is its limit. Time spent waiting or paused is not counted.`,
      source: "policy",
      offers: OFFERS,
    });
    // One that records all the time has used up its time all the same.
    const unlessAfter = why === "progress_timeout" ? progress_at : null;
    await pool.query("select end_run($1, $2, $2, $3, $4)", [run_id, why, decision, unlessAfter]);
  }
}
