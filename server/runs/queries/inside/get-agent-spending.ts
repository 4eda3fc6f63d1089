import { agentConfig } from "@/server/agents/schema";
import { pool } from "@/server/db";
import { TERMINAL_STATUSES } from "@/server/engine/state";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { AgentSpending, AgentSpendingInput } from "./schema";
import { SPENT_SUMS } from "./spent-sql";

/**
 * What an agent run spent, itself and with everything below it; which limits hold for it and how far they are used, as `reserve_call` counts
 * that; and how full its model's context was. Amounts in nano-USD. Throws NOT_FOUND.
 */
export async function getAgentSpending(workspaceId: WorkspaceId, place: AgentSpendingInput): Promise<AgentSpending> {
  const { rows } = await pool().query<{ spending: AgentSpending }>(
    `SELECT json_build_object(
       'own', (SELECT row_to_json(x) FROM (SELECT ${SPENT_SUMS} FROM usages u WHERE u.workspace_id = $1 AND u.agent_run_id = y.id) x),
       'tree', (SELECT row_to_json(x) FROM (SELECT ${SPENT_SUMS} FROM usages u WHERE u.workspace_id = $1 AND ${inTreeOf("u.agent_run_id", "y.id")}) x),
       'reserved', (SELECT json_build_object(${RESERVED_SUMS}) FROM reservations q
         WHERE q.workspace_id = $1 AND ${inTreeOf("q.agent_run_id", "y.id")} AND ${COUNTS}),
       'models', (SELECT coalesce(json_agg(x), '[]') FROM (SELECT u.provider, u.model, ${SPENT_SUMS} FROM usages u
         WHERE u.workspace_id = $1 AND ${inTreeOf("u.agent_run_id", "y.id")} GROUP BY u.provider, u.model
         ORDER BY sum(u.cost_nano_usd) DESC NULLS LAST, sum(u.input_tokens + u.output_tokens) DESC, u.provider, u.model) x),
       'limits', (SELECT coalesce(json_agg(json_build_object('agentRunId', l.id, 'name', l.name, 'maxCostNanoUsd', l.max_cost, 'maxTokens', l.max_tokens,
           'spent', (SELECT json_build_object('costNanoUsd', sum(b.cost_nano_usd), 'tokens', sum(b.input_tokens + b.output_tokens))
             FROM agent_runs b WHERE b.workspace_id = $1 AND ${inTreeOf("b.id", "l.id")}),
           'reserved', (SELECT json_build_object(${RESERVED_SUMS}) FROM reservations q
             WHERE q.workspace_id = $1 AND ${inTreeOf("q.agent_run_id", "l.id")} AND ${COUNTS})) ORDER BY h.depth DESC), '[]')
         FROM agent_limits(y.id) l JOIN agent_runs h ON h.workspace_id = $1 AND h.id = l.id),
       'rounds', json_build_object('most', coalesce((v.config -> 'maxToolRounds')::int, $5::int), 'used', (SELECT count(*)::int FROM steps s
         WHERE s.workspace_id = $1 AND s.agent_run_id = y.id AND s.kind = 'model' AND s.status = 'completed')),
       'agents', CASE WHEN (v.config -> 'canSpawnAgents')::boolean THEN json_build_object('most', coalesce((v.config -> 'maxConcurrentAgents')::int, $6::int),
         'open', (SELECT count(*)::int FROM agent_runs c
           WHERE c.workspace_id = $1 AND c.parent_id = y.id AND NOT c.status::text = ANY ($4::text[]))) END,
       'context', (SELECT json_build_object('position', s.position, 'provider', u.provider, 'model', u.model,
           'tokens', nullif(u.input_tokens, 0), 'contextTokens', o.context_tokens)
         FROM steps s JOIN usages u ON u.workspace_id = $1 AND u.agent_run_id = s.agent_run_id AND u.position = s.position
         LEFT JOIN providers p ON p.workspace_id = $1 AND p.name = u.provider
         LEFT JOIN provider_models o ON o.workspace_id = $1 AND o.provider_id = p.id AND o.name = u.model
         WHERE s.workspace_id = $1 AND s.agent_run_id = y.id AND s.kind = 'model' ORDER BY s.position DESC LIMIT 1)) AS spending
     FROM agent_runs y JOIN agent_versions v ON v.workspace_id = $1 AND v.id = y.agent_version_id
     WHERE y.workspace_id = $1 AND y.run_id = $2 AND y.id = $3`,
    [workspaceId, place.runId, place.agentRunId, TERMINAL_STATUSES, MOST_ROUNDS, MOST_AGENTS],
  );
  const spending = rows[0]?.spending;
  if (!spending) throw new AppError("NOT_FOUND", "This agent is not part of the run, or it is in another workspace.");
  return spending;
}

/** Where a version says nothing. */
const MOST_ROUNDS = agentConfig.shape.maxToolRounds.parse(undefined);
const MOST_AGENTS = agentConfig.shape.maxConcurrentAgents.parse(undefined);

const COUNTS = "q.status IN ('reserved', 'unconfirmed')";
const RESERVED_SUMS = "'costNanoUsd', coalesce(sum(q.cost_nano_usd), 0), 'tokens', coalesce(sum(q.tokens), 0)";

/** Condition: that it is an agent run or one below it. */
function inTreeOf(column: string, agentRun: string): string {
  return `${column} = ANY(ARRAY(WITH RECURSIVE tree AS (
    SELECT ${agentRun} AS id UNION ALL SELECT c.id FROM agent_runs c JOIN tree ON c.parent_id = tree.id
  ) SELECT id FROM tree))`;
}
