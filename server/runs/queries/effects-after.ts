import { overrides } from "@/server/engine/overrides";
import type { Reader } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { EffectAfter } from "../step-schema";

const MOST_SHOWN = 100;

/** What a run did outside after a cut, or was doing then: it stays done, whatever a retry does. */
export type EffectsAfter = {
  /** The first hundred, as they happened. */
  shown: EffectAfter[];
  total: number;
  /** Tools of all of them, with those that had acted after the cut of a run this one itself was retried from. */
  tools: string[];
};

/** Effects that certainly changed nothing are left out: refused by the tool, or not made because the same call was made before. */
export async function effectsAfter(
  reader: Reader,
  workspaceId: WorkspaceId,
  { runId, seq }: { runId: string; seq: number },
): Promise<EffectsAfter> {
  const { rows } = await reader.query<{
    shown: EffectAfter[];
    total: number;
    tools: string[];
    overrides: unknown;
  }>(
    // As texts of one set: the planner would else look through the events for each effect.
    `WITH done AS (
       SELECT e.agent_run_id || ':' || (e.body ->> 'position') AS place FROM events e
       WHERE e.workspace_id = $1 AND e.run_id = $2 AND e.seq <= $3 AND e.kind = 'step.finished'
     ), after_cut AS (
       SELECT f.tool, f.status, f.intended_at, f.agent_run_id, f.position, a.name FROM effects f
       JOIN agent_runs a ON a.workspace_id = f.workspace_id AND a.id = f.agent_run_id
       WHERE f.workspace_id = $1 AND f.run_id = $2 AND f.status NOT IN ('failed', 'repeated', 'refused')
         AND f.agent_run_id || ':' || f.position NOT IN (SELECT done.place FROM done)
     )
     SELECT r.overrides, (SELECT count(*)::int FROM after_cut) AS total,
       (SELECT coalesce(json_agg(DISTINCT tool), '[]') FROM after_cut) AS tools,
       (SELECT coalesce(json_agg(json_build_object('agentName', name, 'agentRunId', agent_run_id, 'position', position,
           'tool', tool, 'status', status, 'at', iso(intended_at)) ORDER BY intended_at, agent_run_id, position), '[]')
        FROM (SELECT * FROM after_cut ORDER BY intended_at, agent_run_id, position LIMIT $4) first) AS shown
     FROM runs r WHERE r.workspace_id = $1 AND r.id = $2`,
    [workspaceId, runId, seq, MOST_SHOWN],
  );
  const [row] = rows;
  if (!row) return { shown: [], total: 0, tools: [] };
  const before = overrides.parse(row.overrides).askBefore;
  return { shown: row.shown, total: row.total, tools: [...new Set([...row.tools, ...before])].sort() };
}
