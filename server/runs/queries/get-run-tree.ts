import { pool } from "@/server/db";
import type { AgentRow, DecisionRow, StepRow } from "@/server/engine/events";
import { AppError } from "@/server/errors";
import { type RequestRecord, toRequestView } from "@/server/requests/queries";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { RunTree } from "../schema";
import {
  AGENTS_JSON,
  DECISIONS_JSON,
  REQUESTS_JSON,
  STEPS_JSON,
  toAgentRow,
  toDecisionRow,
  toStepRow,
} from "./row-json";
import { SUMMARY_COLUMNS, SUMMARY_JOINS, type SummaryRecord, toRunSummary } from "./run-summary";

type TreeRecord = SummaryRecord & {
  input: string;
  answer: string | null;
  last_seq: number;
  agents: AgentRow[];
  steps: StepRow[];
  decisions: DecisionRow[];
  requests: RequestRecord[];
  live_texts: RunTree["liveTexts"];
};

/**
 * The shape of a run: sizes and states, no contents. Throws NOT_FOUND.
 *
 * One statement, so that all its parts see one snapshot: the rows say exactly what the events up to `lastSeq` say.
 */
export async function getRunTree(workspaceId: WorkspaceId, runId: string): Promise<RunTree> {
  const { rows } = await pool().query<TreeRecord>(
    `SELECT ${SUMMARY_COLUMNS}, r.input, r.answer, r.last_seq,
       ${AGENTS_JSON} AS agents, ${STEPS_JSON} AS steps, ${DECISIONS_JSON} AS decisions, ${REQUESTS_JSON} AS requests,
       (SELECT coalesce(json_agg(json_build_object(
           'agentRunId', l.agent_run_id, 'position', l.position, 'text', l.text)), '[]')
        FROM live_texts l JOIN agent_runs a ON a.workspace_id = l.workspace_id AND a.id = l.agent_run_id
        WHERE a.workspace_id = r.workspace_id AND a.run_id = r.id) AS live_texts
     FROM runs r ${SUMMARY_JOINS}
     WHERE r.workspace_id = $1 AND r.id = $2`,
    [workspaceId, runId],
  );
  const row = rows[0];
  if (!row) throw new AppError("NOT_FOUND", "This run does not exist, or it is in another workspace.");
  return {
    run: { ...toRunSummary(row), input: row.input, answer: row.answer },
    agents: row.agents.map(toAgentRow),
    steps: row.steps.map(toStepRow),
    decisions: row.decisions.map(toDecisionRow),
    requests: row.requests.map(toRequestView),
    liveTexts: row.live_texts,
    lastSeq: row.last_seq,
  };
}
