import type { RunStatus } from "@/server/engine/state";
import { UNTITLED } from "../rules";
import type { ConversationSummary } from "../schema";

/** Of a conversation `c`, joined by `SUMMARY_JOINS`. */
export const SUMMARY_COLUMNS = `
  c.id, c.title, c.updated_at, CASE WHEN c.team_id IS NULL THEN 'agent' ELSE 'team' END AS kind,
  coalesce(t.id, g.id) AS target_id, coalesce(t.name, g.name) AS target_name,
  coalesce(t.archived_at, g.archived_at) IS NOT NULL AS is_deleted, u.name AS created_by,
  n.turns, last.status, coalesce(last.open_requests, 0) AS open_requests`;

export const SUMMARY_JOINS = `
  LEFT JOIN teams t ON t.workspace_id = c.workspace_id AND t.id = c.team_id
  LEFT JOIN agents g ON g.workspace_id = c.workspace_id AND g.id = c.agent_id
  LEFT JOIN users u ON u.id = c.created_by_id
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS turns FROM runs r WHERE r.workspace_id = c.workspace_id AND r.conversation_id = c.id
  ) n
  LEFT JOIN LATERAL (
    SELECT r.status, r.open_requests FROM runs r
    WHERE r.workspace_id = c.workspace_id AND r.conversation_id = c.id ORDER BY r.created_at DESC, r.id DESC LIMIT 1
  ) last ON true`;

export type SummaryRecord = {
  id: string;
  title: string;
  updated_at: Date;
  kind: "team" | "agent";
  target_id: string;
  target_name: string;
  is_deleted: boolean;
  created_by: string | null;
  turns: number;
  status: RunStatus | null;
  open_requests: number;
};

export function toSummary(row: SummaryRecord): ConversationSummary {
  return {
    id: row.id,
    title: row.title || UNTITLED,
    target: { kind: row.kind, id: row.target_id, name: row.target_name, isDeleted: row.is_deleted },
    turns: row.turns,
    status: row.status,
    createdBy: row.created_by,
    updatedAt: row.updated_at.toISOString(),
  };
}
