import { pool } from "@/server/db";
import type { TableRow } from "@/server/files/table-file";
import { ofRun } from "@/server/runs/queries/of-run";
import type { WorkspaceId } from "@/server/workspaces/scope";

const RUNS_A_READ = 100;

export const SPENDING_COLUMNS = [
  ...[
    "runId",
    "title",
    "target",
    "createdAt",
    "finishedAt",
    "provider",
    "model",
    "calls",
    "inputTokens",
    "cachedTokens",
  ],
  ...["outputTokens", "costUsd", "unpricedCalls"],
];

type Page = { id: string; at: string; rows: TableRow[] };

/** What each run of the workspace used of each model, the newest runs first, some runs at a time. Imported ones used nothing here. */
export async function* readSpending(workspaceId: WorkspaceId): AsyncGenerator<TableRow[]> {
  let after: { at: string; id: string } | undefined;
  for (;;) {
    const { rows }: { rows: Page[] } = await pool().query<Page>(
      `SELECT r.id, iso(r.created_at) AS at, (
         SELECT coalesce(json_agg(x ORDER BY x.provider, x.model), '[]') FROM (
           SELECT r.id AS "runId", r.title, coalesce(t.name, g.name) AS target, iso(r.created_at) AS "createdAt",
             iso(r.finished_at) AS "finishedAt", c.provider, c.model, count(*)::int AS calls, sum(c.input_tokens)::float8 AS "inputTokens",
             sum(c.cached_tokens)::float8 AS "cachedTokens", sum(c.output_tokens)::float8 AS "outputTokens",
             (sum(c.cost_nano_usd) / 1e9)::float8 AS "costUsd", (count(*) FILTER (WHERE c.cost_nano_usd IS NULL))::int AS "unpricedCalls"
           FROM usages c WHERE c.workspace_id = r.workspace_id AND ${ofRun("c", "r.id")} GROUP BY c.provider, c.model) x) AS rows
       FROM (SELECT * FROM runs r WHERE r.workspace_id = $1 AND r.removing_at IS NULL
           AND NOT EXISTS (SELECT FROM run_imports i WHERE i.run_id = r.id)
           AND ($2::timestamptz IS NULL OR r.created_at <= $2 AND (r.created_at < $2 OR r.id > $3))
         ORDER BY r.created_at DESC, r.id LIMIT $4) r
       LEFT JOIN teams t ON t.workspace_id = r.workspace_id AND t.id = r.team_id
       LEFT JOIN agent_versions v ON v.workspace_id = r.workspace_id AND v.id = r.agent_version_id
       LEFT JOIN agents g ON g.workspace_id = v.workspace_id AND g.id = v.agent_id
       ORDER BY r.created_at DESC, r.id`,
      [workspaceId, after?.at ?? null, after?.id ?? null, RUNS_A_READ],
    );
    yield rows.flatMap((run) => run.rows);
    const last = rows.at(-1);
    if (!last || rows.length < RUNS_A_READ) return;
    after = last;
  }
}
