import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { getDecision as getChoice } from "@/server/runs/queries/get-decision";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { DecisionRecord, Outcome } from "../schema";
import { listLabels } from "./list-labels";
import { MODEL_OF } from "./model-of";
import { OUTCOME } from "./outcome";

const TASK_SHOWN = 2_000;

type Row = Pick<DecisionRecord, "runId" | "runTitle" | "unpricedCalls" | "agentVersion" | "model" | "task"> & {
  outcome: Outcome;
};

/** All the record says about one decision. Throws NOT_FOUND. */
export async function getDecision(workspaceId: WorkspaceId, decisionId: string): Promise<DecisionRecord> {
  const { rows } = await pool().query<Row>(
    `SELECT d.run_id AS "runId", r.title AS "runTitle", r.unpriced_calls AS "unpricedCalls", v.number AS "agentVersion", left(a.task, ${TASK_SHOWN}) AS task,
       ${MODEL_OF} AS model, ${OUTCOME} AS outcome
     FROM decisions d JOIN runs r ON r.workspace_id = d.workspace_id AND r.id = d.run_id
     JOIN agent_runs a ON a.workspace_id = d.workspace_id AND a.id = d.agent_run_id
     JOIN agent_versions v ON v.workspace_id = d.workspace_id AND v.id = a.agent_version_id
     LEFT JOIN steps s ON s.agent_run_id = d.agent_run_id AND s.position = d.position
     LEFT JOIN usages u ON u.agent_run_id = d.agent_run_id AND u.position = d.position
     WHERE d.workspace_id = $1 AND d.id = $2`,
    [workspaceId, decisionId],
  );
  const row = rows[0];
  if (!row) throw new AppError("NOT_FOUND", "There is no such decision. It may have gone with its run.");
  const [{ decision, agentName, options, outcomes }, labels] = await Promise.all([
    getChoice(workspaceId, { runId: row.runId, decisionId }),
    listLabels(workspaceId, [decisionId]),
  ]);
  const { position: _, ordinal: __, ...facts } = decision;
  return {
    ...{ ...facts, ...row, agentName, options, labels: labels.get(decisionId) ?? [] },
    chosen: outcomes.map(({ childId: _childId, ...choice }) => choice),
  };
}
