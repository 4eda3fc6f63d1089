import type { AgentRow, DecisionRow, Mail, OpenStep, StepRow, TaskRow } from "@/server/engine/events";
import { eachInParts, type Parts } from "@/server/in-parts";
import { REQUEST_COLUMNS, REQUEST_JOINS } from "@/server/requests/queries";
import { ofRun } from "@/server/runs/queries/of-run";
import { toInstant, toInstantOrNull } from "./instant";

/** Rows of a run `r` as JSON in the shape of their views. Timestamps still carry an offset: the mappers below end that. */
export const AGENT_COLUMNS = `
  a.id, a.parent_id AS "parentId", a.spawned_by_id AS "spawnedById", a.handle, a.name, a.depth, left(a.task, 200) AS task, a.status,
  a.status_reason AS "statusReason", a.open_steps AS "openSteps", a.todo, a.context, a.input_tokens AS "inputTokens",
  a.output_tokens AS "outputTokens", a.cost_nano_usd AS "costNanoUsd", a.created_at AS "createdAt",
  a.started_at AS "startedAt", a.finished_at AS "finishedAt"`;

/** Tokens and cost come from the usage row: a step without one is no answered model call. Details of an error are read with its step. */
export const STEP_COLUMNS = `
  s.agent_run_id AS "agentRunId", s.position, s.turn, s.kind, s.name, s.status, s.error - 'details' AS error,
  s.started_at AS "startedAt", s.finished_at AS "finishedAt", coalesce(c.input_tokens, 0) AS "inputTokens",
  coalesce(c.output_tokens, 0) AS "outputTokens", c.cost_nano_usd AS "costNanoUsd",
  s.input_bytes AS "inputBytes", s.output_bytes AS "outputBytes", s.reused - 'call' AS reused`;

export const USAGE_JOIN = "LEFT JOIN usages c ON c.agent_run_id = s.agent_run_id AND c.position = s.position";

/** What is kept of a call's usage `c` beside its tokens and cost; a copy of its step has it under `reused.call`. Without what is null. */
export const CALL_JSON = `jsonb_strip_nulls(jsonb_build_object('provider', c.provider, 'model', c.model, 'cached', c.cached_tokens,
  'reasoning', c.reasoning_tokens, 'inputRate', c.input_rate, 'cachedRate', c.cached_rate, 'outputRate', c.output_rate,
  'reasoningRate', c.reasoning_rate))`;

export const DECISION_COLUMNS = `
  d.id, d.agent_run_id AS "agentRunId", d.position, d.ordinal, d.kind, d.chosen, d.reason, d.source,
  d.cost_so_far_nano_usd AS "costSoFarNanoUsd", d.at`;

export const AGENTS_JSON = `
  (SELECT coalesce(json_agg(x), '[]') FROM (SELECT ${AGENT_COLUMNS} FROM agent_runs a
   WHERE a.workspace_id = r.workspace_id AND a.run_id = r.id ORDER BY a.created_at, a.id) x)`;

/** Without names, and instants as numbers: a large run has so many that both are felt. `toStepRows` reads them. */
export const STEPS_JSON = `
  (SELECT coalesce(json_agg(x.step), '[]') FROM (SELECT json_build_array(
     s.agent_run_id, s.position, s.turn, s.kind, s.name, s.status, s.error - 'details', (date_part('epoch', s.started_at) * 1000)::bigint,
     (date_part('epoch', s.finished_at) * 1000)::bigint, s.input_bytes, s.output_bytes, s.reused - 'call') AS step
   FROM steps s WHERE s.workspace_id = r.workspace_id AND ${ofRun("s", "r.id")}
   ORDER BY s.agent_run_id, s.position) x)`;

/** Tokens and cost of the run's model calls, apart from their steps: a join looks each of them up on its own. */
export const USAGES_JSON = `
  (SELECT coalesce(json_agg(json_build_array(c.agent_run_id, c.position, c.input_tokens, c.output_tokens, c.cost_nano_usd)), '[]')
   FROM usages c WHERE c.workspace_id = r.workspace_id AND ${ofRun("c", "r.id")})`;

export type StepTuple = [
  agentRunId: string,
  position: number,
  turn: number,
  kind: StepRow["kind"],
  name: string,
  status: StepRow["status"],
  error: StepRow["error"],
  startedAt: number,
  finishedAt: number,
  inputBytes: number,
  outputBytes: number,
  reused: NonNullable<StepRow["reused"]> | null,
];
export type UsageTuple = [
  agentRunId: string,
  position: number,
  inputTokens: number,
  outputTokens: number,
  costNanoUsd: number | null,
];

/** Like the steps: without names, and instants as numbers. `toDecisionRows` reads them. */
export const DECISIONS_JSON = `
  (SELECT coalesce(json_agg(x.decision), '[]') FROM (SELECT json_build_array(d.id, d.agent_run_id, d.position, d.ordinal, d.kind, d.chosen,
     d.reason, d.source, d.cost_so_far_nano_usd, (date_part('epoch', d.at) * 1000)::bigint) AS decision
   FROM decisions d WHERE d.workspace_id = r.workspace_id AND ${ofRun("d", "r.id")}
   ORDER BY d.at, d.agent_run_id, d.position, d.ordinal) x)`;

export type DecisionTuple = [
  id: string,
  agentRunId: string,
  position: number,
  ordinal: number,
  kind: DecisionRow["kind"],
  chosen: DecisionRow["chosen"],
  reason: string | null,
  source: DecisionRow["source"],
  costSoFarNanoUsd: number,
  at: number,
];

export const REQUESTS_JSON = `
  (SELECT coalesce(json_agg(x), '[]') FROM (SELECT ${REQUEST_COLUMNS} FROM human_requests q ${REQUEST_JOINS}
   WHERE q.workspace_id = r.workspace_id AND q.run_id = r.id ORDER BY q.created_at, q.id) x)`;

export const TASKS_JSON = `
  (SELECT coalesce(json_agg(x), '[]') FROM (SELECT t.agent_run_id AS "agentRunId", t.number, t.subject, t.description, t.status,
     t.blocked_by AS "blockedBy", t.agent, t.prompt, t.child_id AS "childId", t.is_automatic AS "isAutomatic",
     t.created_at AS "createdAt", t.finished_at AS "finishedAt"
   FROM tasks t WHERE t.workspace_id = r.workspace_id AND t.run_id = r.id ORDER BY t.agent_run_id, t.number) x)`;

export const MAILS_JSON = `
  (SELECT coalesce(json_agg(x), '[]') FROM (SELECT m.id, m.from_id AS "fromId", m.to_id AS "toId", m.kind, m.text,
     m.sent_at AS "sentAt", m.read_at AS "readAt"
   FROM mails m WHERE m.workspace_id = r.workspace_id AND m.run_id = r.id ORDER BY m.sent_at, m.id) x)`;

export function toTaskRow(row: TaskRow): TaskRow {
  return { ...row, createdAt: toInstant(row.createdAt), finishedAt: toInstantOrNull(row.finishedAt) };
}

export function toMail(row: Mail): Mail {
  return { ...row, sentAt: toInstant(row.sentAt), readAt: toInstantOrNull(row.readAt) };
}

export function toAgentRow(row: AgentRow): AgentRow {
  return {
    ...row,
    openSteps: row.openSteps.map(toOpenStep),
    createdAt: toInstant(row.createdAt),
    startedAt: toInstantOrNull(row.startedAt),
    finishedAt: toInstantOrNull(row.finishedAt),
  };
}

/** A step as its columns have it: `reused` is null where the view leaves it out. */
export type StepColumns = Omit<StepRow, "reused"> & { reused: StepTuple[11] };

export function toStepRow({ reused, ...row }: StepColumns): StepRow {
  return {
    ...row,
    ...(reused && { reused }),
    startedAt: toInstant(row.startedAt),
    finishedAt: toInstant(row.finishedAt),
  };
}

/** The usage of a step; without one it is no answered model call. */
export function usageLookup(usages: readonly UsageTuple[]) {
  const byStep = new Map(usages.map((usage) => [`${usage[0]}:${usage[1]}`, usage]));
  return (agentRunId: string, position: number) => byStep.get(`${agentRunId}:${position}`);
}

/** Of a large run this takes a while. */
export function* toStepRows(steps: readonly StepTuple[], usages: readonly UsageTuple[]): Parts<StepRow[]> {
  const rows: StepRow[] = [];
  const usageOf = usageLookup(usages);
  yield;
  yield* eachInParts(steps, (step) => {
    const [
      agentRunId,
      position,
      turn,
      kind,
      name,
      status,
      error,
      startedAt,
      finishedAt,
      inputBytes,
      outputBytes,
      reused,
    ] = step;
    const [, , inputTokens = 0, outputTokens = 0, costNanoUsd = null] = usageOf(agentRunId, position) ?? [];
    rows.push({
      ...{ agentRunId, position, turn, kind, name, status, error },
      ...{ startedAt: new Date(startedAt).toISOString(), finishedAt: new Date(finishedAt).toISOString() },
      ...{ inputTokens, outputTokens, costNanoUsd, inputBytes, outputBytes, ...(reused && { reused }) },
    });
  });
  return rows;
}

export function toDecisionRow(row: DecisionRow): DecisionRow {
  return { ...row, at: toInstant(row.at) };
}

export function* toDecisionRows(decisions: readonly DecisionTuple[]): Parts<DecisionRow[]> {
  const rows: DecisionRow[] = [];
  yield* eachInParts(decisions, (decision) => {
    const [id, agentRunId, position, ordinal, kind, chosen, reason, source, costSoFarNanoUsd, at] = decision;
    rows.push({
      ...{ id, agentRunId, position, ordinal, kind, chosen, reason, source, costSoFarNanoUsd },
      at: new Date(at).toISOString(),
    });
  });
  return rows;
}

function toOpenStep(step: OpenStep): OpenStep {
  return { ...step, startedAt: toInstant(step.startedAt) };
}
