import { pool } from "@/server/db";
import type { AgentRow, Mail, TaskRow } from "@/server/engine/events";
import { runLimits } from "@/server/engine/run-limits";
import { inParts } from "@/server/in-parts";
import { type RequestRecord, toRequestView } from "@/server/requests/queries";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { PackedRows, PackedRunTree, RunTree } from "../schema";
import { packDecisions } from "./pack-decisions";
import { packSteps } from "./pack-steps";
import {
  AGENTS_JSON,
  DECISIONS_JSON,
  type DecisionTuple,
  MAILS_JSON,
  REQUESTS_JSON,
  STEPS_JSON,
  type StepTuple,
  TASKS_JSON,
  toAgentRow,
  toDecisionRows,
  toMail,
  toStepRows,
  toTaskRow,
  USAGES_JSON,
  type UsageTuple,
} from "./row-json";
import { SUMMARY_COLUMNS, SUMMARY_JOINS, type SummaryRecord, targetJoins, toRunSummary } from "./run-summary";
import { whyMissing } from "./why-missing";

type TreeRecord = SummaryRecord & {
  input: string;
  answer: string | null;
  last_seq: number;
  limits: unknown;
  reserved: RunTree["run"]["reserved"];
  rerun_of: RunTree["run"]["rerunOf"];
  reruns: RunTree["run"]["reruns"];
  fork_of: RunTree["run"]["forkOf"];
  forks: RunTree["run"]["forks"];
  citations: string[];
  agents: AgentRow[];
  steps: StepTuple[];
  usages: UsageTuple[];
  decisions: DecisionTuple[];
  requests: RequestRecord[];
  tasks: TaskRow[];
  mails: Mail[];
  live_texts: RunTree["liveTexts"];
};

/** The shape of a run: sizes and states, no contents. Throws NOT_FOUND. */
export async function getRunTree(workspaceId: WorkspaceId, runId: string): Promise<RunTree> {
  const row = await readTree(workspaceId, runId);
  const steps = await inParts(toStepRows(row.steps, row.usages));
  const decisions = await inParts(toDecisionRows(row.decisions));
  return { ...toTree(row), steps, decisions };
}

/** The same as it travels to a browser. */
export async function getPackedRunTree(workspaceId: WorkspaceId, runId: string): Promise<PackedRunTree> {
  const row = await readTree(workspaceId, runId);
  const rows: PackedRows = { steps: packSteps(row.steps, row.usages), decisions: packDecisions(row.decisions) };
  return { ...toTree(row), packed: JSON.stringify(rows) };
}

/** One statement, so that all its parts see one snapshot: the rows say exactly what the events up to `lastSeq` say. */
async function readTree(workspaceId: WorkspaceId, runId: string): Promise<TreeRecord> {
  const { rows } = await pool().query<TreeRecord>(
    `SELECT ${SUMMARY_COLUMNS}, r.input, r.answer, r.last_seq, r.limits,
       (SELECT json_build_object('costNanoUsd', coalesce(sum(q.cost_nano_usd), 0), 'tokens', coalesce(sum(q.tokens), 0))
        FROM reservations q WHERE q.run_id = r.id AND q.status IN ('reserved', 'unconfirmed')) AS reserved,
       (SELECT json_build_object('id', o.id, 'title', o.title, 'target',
           json_build_object('id', coalesce(ot.id, og.id), 'name', coalesce(ot.name, og.name), 'version', coalesce(otv.number, ogv.number)))
        FROM runs o ${targetJoins("o")}
        WHERE o.workspace_id = r.workspace_id AND o.id = r.rerun_of_id AND o.removing_at IS NULL) AS rerun_of,
       (SELECT coalesce(json_agg(json_build_object('id', o.id, 'title', o.title, 'status', o.status,
           'createdAt', iso(o.created_at), 'target', coalesce(ot.name, og.name) || ' v' || coalesce(otv.number, ogv.number)) ORDER BY o.created_at, o.id), '[]')
        FROM runs o ${targetJoins("o")}
        WHERE o.workspace_id = r.workspace_id AND o.rerun_of_id = r.id AND o.removing_at IS NULL) AS reruns,
       (SELECT json_build_object('id', o.id, 'title', o.title, 'agentRunId', r.forked_at_agent_run_id, 'position', r.forked_at_position, 'edit', r.overrides -> 'edit',
           'agentName', (SELECT name FROM agent_runs WHERE workspace_id = o.workspace_id AND id = r.forked_at_agent_run_id))
        FROM runs o WHERE o.workspace_id = r.workspace_id AND o.id = r.forked_from_run_id AND o.removing_at IS NULL) AS fork_of,
       (SELECT coalesce(json_agg(json_build_object('id', o.id, 'title', o.title, 'status', o.status, 'createdAt', iso(o.created_at),
           'agentRunId', o.forked_at_agent_run_id, 'position', o.forked_at_position, 'edit', o.overrides -> 'edit',
           'agentName', (SELECT name FROM agent_runs WHERE workspace_id = o.workspace_id AND id = o.forked_at_agent_run_id))
           ORDER BY o.created_at, o.id), '[]')
        FROM runs o WHERE o.workspace_id = r.workspace_id AND o.forked_from_run_id = r.id AND o.removing_at IS NULL) AS forks,
       (SELECT coalesce(json_agg(c.mark ORDER BY c.at, c.mark), '[]') FROM citations c
        WHERE c.workspace_id = r.workspace_id AND c.run_id = r.id) AS citations,
       ${AGENTS_JSON} AS agents, ${STEPS_JSON} AS steps, ${USAGES_JSON} AS usages, ${DECISIONS_JSON} AS decisions, ${REQUESTS_JSON} AS requests,
       ${TASKS_JSON} AS tasks, ${MAILS_JSON} AS mails,
       (SELECT coalesce(json_agg(json_build_object(
           'agentRunId', l.agent_run_id, 'position', l.position, 'text', l.text)), '[]')
        FROM live_texts l JOIN agent_runs a ON a.workspace_id = l.workspace_id AND a.id = l.agent_run_id
        WHERE a.workspace_id = r.workspace_id AND a.run_id = r.id) AS live_texts
     FROM runs r ${SUMMARY_JOINS}
     WHERE r.workspace_id = $1 AND r.id = $2 AND r.removing_at IS NULL`,
    [workspaceId, runId],
  );
  const row = rows[0];
  if (!row) throw await whyMissing(workspaceId, runId);
  return row;
}

function toTree(row: TreeRecord): Omit<RunTree, "steps" | "decisions"> {
  // A page that follows a run knows from its rows since when it is held.
  const { heldAt: _, ...summary } = toRunSummary(row);
  return {
    run: {
      ...summary,
      input: row.input,
      answer: row.answer,
      limits: runLimits.parse(row.limits),
      reserved: row.reserved,
      rerunOf: row.rerun_of,
      reruns: row.reruns,
      forkOf: row.fork_of,
      forks: row.forks,
      citations: row.citations,
    },
    agents: row.agents.map(toAgentRow),
    requests: row.requests.map(toRequestView),
    tasks: row.tasks.map(toTaskRow),
    mails: row.mails.map(toMail),
    liveTexts: row.live_texts,
    lastSeq: row.last_seq,
  };
}
