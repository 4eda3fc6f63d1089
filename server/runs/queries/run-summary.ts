import type { RunStatus } from "@/server/engine/state";
import type { RunSummary } from "../schema";
import { toInstant, toInstantOrNull } from "./instant";

/** Columns of a run summary; `r` is the run. Joined by `SUMMARY_JOINS`, so a page of runs costs one statement. */
export const SUMMARY_COLUMNS = `
  r.id, r.title, r.status, r.status_reason, r.model, r.open_requests, r.unpriced_calls,
  r.input_tokens, r.output_tokens, r.cost_nano_usd, r.created_at, r.started_at, r.finished_at,
  t.id AS team_id, t.name AS team_name, tv.number AS team_version, u.name AS started_by,
  n.total AS agents_total, n.running AS agents_running, d.doing`;

/**
 * `doing` names the newest agent that is busy with something other than waiting for a person: children begin after
 * their parents, so while a parent waits for a child this is the child's step.
 */
export const SUMMARY_JOINS = `
  JOIN teams t ON t.workspace_id = r.workspace_id AND t.id = r.team_id
  JOIN team_versions tv ON tv.workspace_id = r.workspace_id AND tv.id = r.team_version_id
  LEFT JOIN users u ON u.id = r.started_by_id
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS total, (count(*) FILTER (WHERE a.status = 'running'))::int AS running
    FROM agent_runs a WHERE a.workspace_id = r.workspace_id AND a.run_id = r.id
  ) n
  LEFT JOIN LATERAL (
    SELECT a.name || ': ' || (a.open_steps -> -1 ->> 'name') AS doing
    FROM agent_runs a
    WHERE a.workspace_id = r.workspace_id AND a.run_id = r.id AND a.status = 'running'
      AND a.open_steps -> -1 ->> 'kind' <> 'human'
    ORDER BY a.created_at DESC, a.id DESC LIMIT 1
  ) d ON true`;

export type SummaryRecord = {
  id: string;
  title: string;
  status: RunStatus;
  status_reason: string | null;
  model: string;
  open_requests: number;
  unpriced_calls: number;
  input_tokens: string;
  output_tokens: string;
  cost_nano_usd: string;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  team_id: string;
  team_name: string;
  team_version: number;
  started_by: string | null;
  agents_total: number;
  agents_running: number;
  doing: string | null;
};

export function toRunSummary(row: SummaryRecord): RunSummary {
  return {
    id: row.id,
    title: row.title,
    status: row.status,
    statusReason: row.status_reason,
    team: { id: row.team_id, name: row.team_name, version: row.team_version },
    model: row.model,
    startedBy: row.started_by,
    openRequests: row.open_requests,
    agents: { total: row.agents_total, running: row.agents_running },
    doing: row.doing,
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    costNanoUsd: Number(row.cost_nano_usd),
    unpricedCalls: row.unpriced_calls,
    createdAt: toInstant(row.created_at),
    startedAt: toInstantOrNull(row.started_at),
    finishedAt: toInstantOrNull(row.finished_at),
  };
}
