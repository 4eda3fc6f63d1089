import type { AgentRow, DecisionRow, OpenStep, StepRow } from "@/server/engine/events";
import { REQUEST_COLUMNS, REQUEST_JOINS } from "@/server/requests/queries";
import { toInstant, toInstantOrNull } from "./instant";

/** Rows of a run `r` as JSON in the shape of their views. Timestamps still carry an offset: the mappers below end that. */
export const AGENT_COLUMNS = `
  a.id, a.parent_id AS "parentId", a.spawned_by_id AS "spawnedById", a.handle, a.name, a.depth, left(a.task, 200) AS task, a.status,
  a.status_reason AS "statusReason", a.open_steps AS "openSteps", a.input_tokens AS "inputTokens",
  a.output_tokens AS "outputTokens", a.cost_nano_usd AS "costNanoUsd", a.created_at AS "createdAt",
  a.started_at AS "startedAt", a.finished_at AS "finishedAt"`;

/** Tokens and cost come from the usage row: a step without one is no answered model call. */
export const STEP_COLUMNS = `
  s.agent_run_id AS "agentRunId", s.position, s.turn, s.kind, s.name, s.status, s.error,
  s.started_at AS "startedAt", s.finished_at AS "finishedAt", coalesce(c.input_tokens, 0) AS "inputTokens",
  coalesce(c.output_tokens, 0) AS "outputTokens", c.cost_nano_usd AS "costNanoUsd",
  s.input_bytes AS "inputBytes", s.output_bytes AS "outputBytes"`;

export const USAGE_JOIN = "LEFT JOIN usages c ON c.agent_run_id = s.agent_run_id AND c.position = s.position";

export const DECISION_COLUMNS = `
  d.id, d.agent_run_id AS "agentRunId", d.position, d.ordinal, d.kind, d.chosen, d.reason, d.source,
  d.cost_so_far_nano_usd AS "costSoFarNanoUsd", d.at`;

export const AGENTS_JSON = `
  (SELECT coalesce(json_agg(x), '[]') FROM (SELECT ${AGENT_COLUMNS} FROM agent_runs a
   WHERE a.workspace_id = r.workspace_id AND a.run_id = r.id ORDER BY a.created_at, a.id) x)`;

export const STEPS_JSON = `
  (SELECT coalesce(json_agg(x), '[]') FROM (SELECT ${STEP_COLUMNS} FROM steps s ${USAGE_JOIN}
   WHERE s.workspace_id = r.workspace_id AND s.run_id = r.id ORDER BY s.agent_run_id, s.position) x)`;

export const DECISIONS_JSON = `
  (SELECT coalesce(json_agg(x), '[]') FROM (SELECT ${DECISION_COLUMNS} FROM decisions d
   WHERE d.workspace_id = r.workspace_id AND d.run_id = r.id ORDER BY d.at, d.agent_run_id, d.position, d.ordinal) x)`;

export const REQUESTS_JSON = `
  (SELECT coalesce(json_agg(x), '[]') FROM (SELECT ${REQUEST_COLUMNS} FROM human_requests q ${REQUEST_JOINS}
   WHERE q.workspace_id = r.workspace_id AND q.run_id = r.id ORDER BY q.created_at, q.id) x)`;

export function toAgentRow(row: AgentRow): AgentRow {
  return {
    ...row,
    openSteps: row.openSteps.map(toOpenStep),
    createdAt: toInstant(row.createdAt),
    startedAt: toInstantOrNull(row.startedAt),
    finishedAt: toInstantOrNull(row.finishedAt),
  };
}

export function toStepRow(row: StepRow): StepRow {
  return { ...row, startedAt: toInstant(row.startedAt), finishedAt: toInstant(row.finishedAt) };
}

export function toDecisionRow(row: DecisionRow): DecisionRow {
  return { ...row, at: toInstant(row.at) };
}

function toOpenStep(step: OpenStep): OpenStep {
  return { ...step, startedAt: toInstant(step.startedAt) };
}
