import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { whyNotAsk } from "../rules";
import type { ConversationDetail, ConversationTurn, RemovedTurn } from "../schema";
import { SUMMARY_COLUMNS, SUMMARY_JOINS, type SummaryRecord, toSummary } from "./conversation-columns";
import { isUnread, listAttachments } from "./list-attachments";

type DetailRecord = SummaryRecord & {
  base_id: string | null;
  turn_rows: ConversationTurn[];
  turn_count: number;
  removed: RemovedTurn[];
};

/** A conversation with what was last asked and answered in it, `newest` turns, oldest first. Throws NOT_FOUND. */
export async function getConversation(
  workspaceId: WorkspaceId,
  { conversationId, newest }: { conversationId: string; newest: number },
): Promise<ConversationDetail> {
  const [{ rows }, attachments] = await Promise.all([
    pool().query<DetailRecord>(
      `SELECT ${SUMMARY_COLUMNS},
         (SELECT b.id FROM knowledge_bases b
          WHERE b.workspace_id = c.workspace_id AND b.conversation_id = c.id) AS base_id,
         (SELECT coalesce(json_agg(x), '[]') FROM (
            SELECT r.id AS "runId", r.input, r.status, r.status_reason AS "statusReason", r.answer,
              r.open_requests AS "openRequests", a.name AS "askedBy",
              (SELECT coalesce(json_agg(m.mark ORDER BY m.at, m.mark), '[]') FROM citations m
               WHERE m.workspace_id = r.workspace_id AND m.run_id = r.id) AS citations,
              r.cost_nano_usd AS "costNanoUsd", r.unpriced_calls AS "unpricedCalls",
              iso(r.created_at) AS "createdAt", iso(r.started_at) AS "startedAt", iso(r.finished_at) AS "finishedAt"
            FROM runs r LEFT JOIN users a ON a.id = r.started_by_id
            WHERE r.workspace_id = c.workspace_id AND r.conversation_id = c.id AND r.removing_at IS NULL
            ORDER BY r.created_at DESC, r.id DESC LIMIT $3) x) AS turn_rows,
         (SELECT count(*)::int FROM runs r
          WHERE r.workspace_id = c.workspace_id AND r.conversation_id = c.id AND r.removing_at IS NULL) AS turn_count,
         (SELECT coalesce(json_agg(json_build_object('runId', g.run_id, 'removedBy', u.name, 'createdAt', iso(g.created_at),
             'removedAt', iso(g.removed_at)) ORDER BY g.created_at, g.run_id), '[]')
          FROM removed_runs g LEFT JOIN users u ON u.id = g.removed_by_id
          WHERE g.workspace_id = c.workspace_id AND g.conversation_id = c.id) AS removed
       FROM conversations c ${SUMMARY_JOINS}
       WHERE c.workspace_id = $1 AND c.id = $2`,
      [workspaceId, conversationId, newest],
    ),
    listAttachments(workspaceId, conversationId),
  ]);
  const row = rows[0];
  if (!row) throw new AppError("NOT_FOUND", "There is no such conversation. It may have been deleted.");
  const { id, title, target, status } = toSummary(row);
  const turns = row.turn_rows.toReversed();
  const earlierTurns = row.turn_count - turns.length;
  const since = earlierTurns > 0 ? (turns[0]?.createdAt ?? "") : "";
  return {
    id,
    title,
    target,
    baseId: row.base_id,
    attachments,
    turns,
    earlierTurns,
    // Instants are UTC texts of one length, so their letters order them.
    removedTurns: row.removed.filter(({ createdAt }) => createdAt >= since),
    whyNotAsk: whyNotAsk({
      target,
      status,
      openRequests: row.open_requests,
      unread: attachments.filter((file) => isUnread(file.status)).map((file) => file.name),
    }),
  };
}
