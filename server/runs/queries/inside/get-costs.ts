import { pool } from "@/server/db";
import { ofRun } from "@/server/runs/queries/of-run";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { getLastSeq } from "../list-events";
import { pageOf } from "./page-of";
import type { AgentCost, PageOfRunInput, RunCosts, SpentRow, Times, Timing } from "./schema";
import { SPENT_SUMS, STEP_MS, TIME_SUMS } from "./spent-sql";

const PAGE = 100;
/** Names of tools that are listed; more than any agent is offered. */
const MOST_TOOLS = 300;

/**
 * What a run cost, by model and by tool, and where its time went; amounts in nano-USD, times in ms (LLM-OBS-10). Throws NOT_FOUND.
 */
export async function getRunCosts(workspaceId: WorkspaceId, runId: string): Promise<RunCosts> {
  await getLastSeq(workspaceId, runId);
  const { rows } = await pool().query<{ costs: RunCosts }>(
    `SELECT json_build_object(
       'total', (SELECT row_to_json(x) FROM (SELECT ${SPENT_SUMS} FROM usages u WHERE u.workspace_id = $1 AND ${ofRun("u", "$2")}) x),
       'times', (SELECT row_to_json(x) FROM (SELECT ${TIME_SUMS}, ${queued("$1", "$2")} AS "queuedMs"
         FROM steps s WHERE s.workspace_id = $1 AND ${ofRun("s", "$2")}) x),
       'models', (SELECT coalesce(json_agg(x), '[]') FROM (SELECT u.provider, u.model, ${SPENT_SUMS},
           coalesce(sum(${STEP_MS}), 0)::bigint AS "tookMs"
         FROM usages u JOIN steps s ON s.agent_run_id = u.agent_run_id AND s.position = u.position
         WHERE u.workspace_id = $1 AND ${ofRun("u", "$2")} GROUP BY u.provider, u.model
         ORDER BY sum(u.cost_nano_usd) DESC NULLS LAST, sum(u.input_tokens + u.output_tokens) DESC, u.provider, u.model) x),
       'tools', (SELECT coalesce(json_agg(x), '[]') FROM (SELECT s.name, count(*)::int AS calls,
           count(*) FILTER (WHERE s.status = 'failed')::int AS failed, sum(${STEP_MS})::bigint AS "totalMs", max(${STEP_MS}) AS "mostMs",
           sum(s.input_bytes)::bigint AS "inputBytes", sum(s.output_bytes)::bigint AS "outputBytes",
           coalesce(sum(u.cost_nano_usd), 0)::bigint AS "costNanoUsd"
         FROM steps s LEFT JOIN usages u ON u.agent_run_id = s.agent_run_id AND u.position = s.position
         WHERE s.workspace_id = $1 AND ${ofRun("s", "$2")} AND s.kind IN ('tool', 'retrieval') AND s.reused IS NULL
         GROUP BY s.name ORDER BY 4 DESC, s.name LIMIT ${MOST_TOOLS}) x),
       'toolsTotal', (SELECT count(DISTINCT s.name)::int FROM steps s
         WHERE s.workspace_id = $1 AND ${ofRun("s", "$2")} AND s.kind IN ('tool', 'retrieval') AND s.reused IS NULL)) AS costs`,
    [workspaceId, runId],
  );
  return rows[0]?.costs as RunCosts;
}

/** How long agent runs waited for a worker, together. */
function queued(workspace: string, run: string): string {
  return `(SELECT coalesce(sum(greatest(0, date_part('epoch', coalesce(a.started_at, a.finished_at, a.created_at) - a.created_at)) * 1000), 0)::bigint
    FROM agent_runs a WHERE a.workspace_id = ${workspace} AND a.run_id = ${run})`;
}

type AgentCostRecord = Pick<AgentCost, "id" | "name" | "handle" | "depth" | "status" | "own" | "tree" | "times">;

/** By agent run, those that cost most with everything below them first; own and subtree (LLM-OBS-10). Throws NOT_FOUND. */
export async function listAgentCosts(
  workspaceId: WorkspaceId,
  { runId, cursor }: PageOfRunInput,
): Promise<{ items: AgentCost[]; nextCursor: number | null; total: number }> {
  await getLastSeq(workspaceId, runId);
  const offset = cursor ?? 0;
  const { rows } = await pool().query<{ row: AgentCostRecord; total: number }>(
    `WITH RECURSIVE agents AS MATERIALIZED (
       SELECT a.id, a.parent_id, a.name, a.handle, a.depth, a.status, a.created_at,
         (greatest(0, date_part('epoch', coalesce(a.started_at, a.finished_at, a.created_at) - a.created_at)) * 1000)::bigint AS queued_ms
       FROM agent_runs a WHERE a.workspace_id = $1 AND a.run_id = $2),
     spent AS MATERIALIZED (SELECT u.agent_run_id AS id, ${SPENT_SUMS} FROM usages u
       WHERE u.workspace_id = $1 AND ${ofRun("u", "$2")} GROUP BY u.agent_run_id),
     times AS (SELECT s.agent_run_id AS id, ${TIME_SUMS} FROM steps s WHERE s.workspace_id = $1 AND ${ofRun("s", "$2")} GROUP BY s.agent_run_id),
     up AS (SELECT id, id AS above, parent_id FROM agents
       UNION ALL SELECT up.id, a.id, a.parent_id FROM up JOIN agents a ON a.id = up.parent_id),
     tree AS (SELECT up.above AS id, ${FIELDS.map((field) => `coalesce(sum(p."${field}"), 0)::bigint AS "${field}"`).join(", ")}
       FROM up LEFT JOIN spent p ON p.id = up.id GROUP BY up.above)
     SELECT json_build_object('id', a.id, 'name', a.name, 'handle', a.handle, 'depth', a.depth, 'status', a.status,
         'own', ${spentJson("p")}, 'tree', ${spentJson("t")},
         'times', json_build_object('queuedMs', a.queued_ms, ${TIMES.map((time) => `'${time}', coalesce(m."${time}", 0)`).join(", ")})) AS row,
       (count(*) OVER ())::int AS total
     FROM agents a LEFT JOIN spent p ON p.id = a.id LEFT JOIN times m ON m.id = a.id JOIN tree t ON t.id = a.id
     ORDER BY t."costNanoUsd" DESC, t."inputTokens" + t."outputTokens" DESC, a.created_at, a.id LIMIT $3 OFFSET $4`,
    [workspaceId, runId, PAGE + 1, offset],
  );
  const page = pageOf(rows, PAGE, offset);
  return { items: page.items.map(({ row }) => row), nextCursor: page.nextCursor, total: rows[0]?.total ?? 0 };
}

const FIELDS = [
  "calls",
  "inputTokens",
  "cachedTokens",
  "outputTokens",
  "costNanoUsd",
  "unpricedCalls",
  "silentCalls",
] as const satisfies readonly (keyof SpentRow)[];
const TIMES = [
  "modelMs",
  "toolMs",
  "retrievalMs",
  "waitingMs",
  "childrenMs",
] as const satisfies readonly (keyof Times)[];

function spentJson(table: string): string {
  return `json_build_object(${FIELDS.map((field) => `'${field}', coalesce(${table}."${field}", 0)`).join(", ")})`;
}

type TimingRecord = Omit<Timing, "slowest"> & { agentRunId: string; position: number; total: number };

/** Visits, total, average and maximum by agent and what it did, slowest first, in ms (LOK-OBS-03). Throws NOT_FOUND. */
export async function listTimings(
  workspaceId: WorkspaceId,
  { runId, cursor }: PageOfRunInput,
): Promise<{ items: Timing[]; nextCursor: number | null; total: number }> {
  await getLastSeq(workspaceId, runId);
  const offset = cursor ?? 0;
  const { rows } = await pool().query<{ row: TimingRecord; total: number }>(
    `SELECT row_to_json(z) AS row, z.total FROM (
       SELECT a.name AS agent, s.kind, s.name, count(*)::int AS visits, count(*) FILTER (WHERE s.status = 'failed')::int AS failed,
         sum(${STEP_MS})::bigint AS "totalMs", round(avg(${STEP_MS}))::bigint AS "averageMs", max(${STEP_MS}) AS "mostMs",
         (array_agg(s.agent_run_id ORDER BY ${STEP_MS} DESC, s.position))[1] AS "agentRunId",
         (array_agg(s.position ORDER BY ${STEP_MS} DESC, s.position))[1] AS position, (count(*) OVER ())::int AS total
       FROM steps s JOIN agent_runs a ON a.workspace_id = s.workspace_id AND a.id = s.agent_run_id
       WHERE s.workspace_id = $1 AND ${ofRun("s", "$2")} AND s.reused IS NULL
       GROUP BY a.name, s.kind, s.name ORDER BY 6 DESC, a.name, s.kind, s.name LIMIT $3 OFFSET $4) z`,
    [workspaceId, runId, PAGE + 1, offset],
  );
  const page = pageOf(rows, PAGE, offset);
  const items = page.items.map(({ row: { agentRunId, position, total: _, ...row } }) => ({
    ...row,
    slowest: { agentRunId, position },
  }));
  return { items, nextCursor: page.nextCursor, total: rows[0]?.total ?? 0 };
}
