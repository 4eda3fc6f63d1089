import { pool } from "@/server/db";
import type { ChosenOption, DecisionRow } from "@/server/engine/events";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { DecisionDetail, OfferedOption } from "../schema";
import { findBlobs } from "./blobs";
import { DECISION_COLUMNS, toDecisionRow } from "./row-json";

type Child = { id: string; name: string; status: string };
type DecisionRecord = DecisionRow & {
  agentName: string;
  optionsHash: string | null;
  /** Agent runs it opened, oldest first. */
  children: Child[];
  /** Recorded and open steps by position. */
  steps: { position: number; status: string }[];
};

/** A decision with its options as offered and what became of each choice. Throws NOT_FOUND. */
export async function getDecision(
  workspaceId: WorkspaceId,
  { runId, decisionId }: { runId: string; decisionId: string },
): Promise<DecisionDetail> {
  const { agentName, optionsHash, children, steps, ...row } = await getDecisionRecord(workspaceId, runId, decisionId);
  const blobs = await findBlobs(workspaceId, optionsHash ? [optionsHash] : []);
  const options = optionsHash ? blobs.get(optionsHash) : undefined;
  return {
    decision: toDecisionRow(row),
    agentName,
    options: options ? (JSON.parse(options) as OfferedOption[]) : [],
    outcomes: joinOutcomes(row.chosen, children, steps),
  };
}

async function getDecisionRecord(workspaceId: WorkspaceId, runId: string, decisionId: string): Promise<DecisionRecord> {
  const { rows } = await pool().query<{ row: DecisionRecord }>(
    `SELECT row_to_json(x) AS row FROM (
       SELECT ${DECISION_COLUMNS}, a.name AS "agentName", d.options_hash AS "optionsHash",
         (SELECT coalesce(json_agg(json_build_object('id', k.id, 'name', k.name, 'status', k.status)
                                   ORDER BY k.created_at, k.id), '[]')
          FROM agent_runs k WHERE k.workspace_id = d.workspace_id AND k.run_id = d.run_id
            AND k.spawned_by_id = d.id) AS children,
         (SELECT coalesce(json_agg(json_build_object('position', p.position, 'status', p.status)), '[]')
          FROM (
            SELECT s.position, s.status FROM steps s
            WHERE s.workspace_id = d.workspace_id AND s.agent_run_id = d.agent_run_id
            UNION ALL
            SELECT (o ->> 'position')::int, 'running' FROM jsonb_array_elements(a.open_steps) o
          ) p
          WHERE d.chosen @> jsonb_build_array(jsonb_build_object('position', p.position))) AS steps
       FROM decisions d
       JOIN agent_runs a ON a.workspace_id = d.workspace_id AND a.id = d.agent_run_id
       WHERE d.workspace_id = $1 AND d.run_id = $2 AND d.id = $3
     ) x`,
    [workspaceId, runId, decisionId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "This decision does not exist, or it is in another workspace.");
  return rows[0].row;
}

/** A child tells more than the step that opened it; the same agent chosen twice has two children, in order. */
function joinOutcomes(
  chosen: readonly ChosenOption[],
  children: readonly Child[],
  steps: readonly { position: number; status: string }[],
): DecisionDetail["outcomes"] {
  const unmatched = [...children];
  return chosen.map((choice) => {
    const at = unmatched.findIndex((child) => choice.option === `agent:${child.name}`);
    const child = at < 0 ? undefined : unmatched.splice(at, 1)[0];
    const step = steps.find((candidate) => candidate.position === choice.position);
    return { ...choice, status: child?.status ?? step?.status ?? null, childId: child?.id ?? null };
  });
}
