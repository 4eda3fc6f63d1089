import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { FeedbackCounts, FeedbackFilters, FeedbackSummary, ListFeedbackInput } from "../schema";
import { ENTRY_COLUMNS, ENTRY_JOIN, type EntryRecord, withInstants } from "./feedback-columns";
import { filterFeedback } from "./filter-feedback";

type Row = EntryRecord & Omit<FeedbackSummary, keyof EntryRecord>;

/**
 * A page of feedback, newest first. Pages follow each other by (at, id), so what is said meanwhile neither repeats nor hides one.
 * Throws INVALID for a cursor that is not ours.
 */
export async function listFeedback(
  workspaceId: WorkspaceId,
  { cursor, limit, direction: _, ...filters }: ListFeedbackInput,
): Promise<{ items: FeedbackSummary[]; nextCursor: string | null }> {
  const { from, where, values, bind } = filterFeedback(workspaceId, filters);
  let after = "";
  if (cursor) {
    const place = parseCursor(cursor);
    const at = bind(place.at);
    after = ` AND f.at <= ${at} AND (f.at < ${at} OR f.id > ${bind(place.id)})`;
  }
  const { rows } = await pool().query<Row>(
    `SELECT ${ENTRY_COLUMNS}, r.title AS "runTitle", f.agent_name AS "agentName", f.agent_version AS "agentVersion",
       t.name AS "teamName", f.conversation_id AS "conversationId"
     FROM ${from} ${ENTRY_JOIN} LEFT JOIN teams t ON t.workspace_id = f.workspace_id AND t.id = f.team_id
     WHERE ${where}${after} ORDER BY f.at DESC, f.id LIMIT ${bind(limit + 1)}`,
    values,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(withInstants),
    nextCursor: rows.length > limit && last ? `${last.at.getTime()}.${last.id}` : null,
  };
}

/** How many of each type there are under the other filters. */
export async function countFeedback(workspaceId: WorkspaceId, filters: FeedbackFilters): Promise<FeedbackCounts> {
  const { from, where, values } = filterFeedback(workspaceId, { ...filters, type: "" });
  const { rows } = await pool().query<{ type: keyof FeedbackCounts; times: number }>(
    `SELECT f.type, count(*)::int AS times FROM ${from} WHERE ${where} GROUP BY f.type`,
    values,
  );
  const none = { positive: 0, negative: 0, correction: 0, preference: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ type, times }) => [type, times])) };
}

function parseCursor(cursor: string): { at: Date; id: string } {
  const [, time, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (!time || !id) throw new AppError("INVALID", "This page of feedback no longer exists. Open the list again.");
  return { at: new Date(Number(time)), id };
}
