import type { RunStatus } from "@/server/engine/state";
import type { RunSummary } from "../schema";
import { toInstant, toInstantOrNull } from "./instant";

/** Columns of a run summary; `r` is the run. Joined by `SUMMARY_JOINS`, so a page of runs costs one statement. */
export const SUMMARY_COLUMNS = `
  r.id, r.title, r.status, r.status_reason, r.model, r.open_requests, r.unpriced_calls,
  r.input_tokens, r.output_tokens, r.cost_nano_usd, r.created_at, r.started_at, r.finished_at, r.held_at,
  r.forked_at_seq IS NOT NULL AS is_fork,
  (SELECT coalesce(json_agg(x.tag ORDER BY x.key), '[]') FROM run_tags x
   WHERE x.workspace_id = r.workspace_id AND x.run_id = r.id) AS tags,
  r.archived_at, (SELECT name FROM users WHERE id = r.archived_by_id) AS archived_by,
  r.conversation_id, CASE WHEN r.team_id IS NULL THEN 'agent' ELSE 'team' END AS target_kind,
  coalesce(t.id, g.id) AS target_id, coalesce(t.name, g.name) AS target_name,
  coalesce(tv.number, gv.number) AS target_version, coalesce(u.name, i.started_by) AS started_by,
  CASE WHEN i.run_id IS NOT NULL THEN json_build_object('workspace', i.source_workspace, 'runId', i.source_run_id, 'savedBy', i.saved_by,
    'savedAt', iso(i.saved_at), 'by', (SELECT name FROM users WHERE id = i.imported_by_id), 'at', iso(i.imported_at)) END AS imported,
  n.total AS agents_total, n.running AS agents_running, d.doing`;

/** What a run ran: its team or agent and the version of it, as <run>t, <run>tv, <run>gv and <run>g. */
export const targetJoins = (run: string) => `
  LEFT JOIN teams ${run}t ON ${run}t.workspace_id = ${run}.workspace_id AND ${run}t.id = ${run}.team_id
  LEFT JOIN team_versions ${run}tv ON ${run}tv.workspace_id = ${run}.workspace_id AND ${run}tv.id = ${run}.team_version_id
  LEFT JOIN agent_versions ${run}gv ON ${run}gv.workspace_id = ${run}.workspace_id AND ${run}gv.id = ${run}.agent_version_id
  LEFT JOIN agents ${run}g ON ${run}g.workspace_id = ${run}gv.workspace_id AND ${run}g.id = ${run}gv.agent_id`;

/**
 * `doing` names the newest agent that is busy with something other than waiting for a person: children begin after
 * their parents, so while a parent waits for a child this is the child's step.
 */
export const SUMMARY_JOINS = `
  LEFT JOIN teams t ON t.workspace_id = r.workspace_id AND t.id = r.team_id
  LEFT JOIN team_versions tv ON tv.workspace_id = r.workspace_id AND tv.id = r.team_version_id
  LEFT JOIN agent_versions gv ON gv.workspace_id = r.workspace_id AND gv.id = r.agent_version_id
  LEFT JOIN agents g ON g.workspace_id = gv.workspace_id AND g.id = gv.agent_id
  LEFT JOIN users u ON u.id = r.started_by_id
  LEFT JOIN run_imports i ON i.workspace_id = r.workspace_id AND i.run_id = r.id
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
  is_fork: boolean;
  imported: RunSummary["imported"];
  tags: string[];
  archived_at: Date | null;
  archived_by: string | null;
  input_tokens: string;
  output_tokens: string;
  cost_nano_usd: string;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  held_at: Date | null;
  conversation_id: string | null;
  target_kind: RunSummary["target"]["kind"];
  target_id: string;
  target_name: string;
  target_version: number;
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
    target: { kind: row.target_kind, id: row.target_id, name: row.target_name, version: row.target_version },
    conversationId: row.conversation_id,
    model: row.model,
    startedBy: row.started_by,
    openRequests: row.open_requests,
    agents: { total: row.agents_total, running: row.agents_running },
    doing: row.doing,
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    costNanoUsd: Number(row.cost_nano_usd),
    unpricedCalls: row.unpriced_calls,
    isFork: row.is_fork,
    imported: row.imported,
    tags: row.tags,
    archived: row.archived_at && { by: row.archived_by, at: toInstant(row.archived_at) },
    createdAt: toInstant(row.created_at),
    startedAt: toInstantOrNull(row.started_at),
    finishedAt: toInstantOrNull(row.finished_at),
    heldAt: toInstantOrNull(row.held_at),
  };
}
