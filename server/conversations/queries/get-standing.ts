import type pg from "pg";
import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ConversationSummary } from "../schema";
import { SUMMARY_COLUMNS, SUMMARY_JOINS, type SummaryRecord, toSummary } from "./conversation-columns";

type Standing = Pick<ConversationSummary, "target" | "status"> & {
  openRequests: number;
  /** Names of attachments that are still being read. */
  unread: string[];
};

/** How a conversation stands, for whoever wants to ask or delete; inside a transaction when given its client. Throws NOT_FOUND. */
export async function getStanding(
  workspaceId: WorkspaceId,
  conversationId: string,
  client: Pick<pg.ClientBase, "query"> = pool(),
): Promise<Standing> {
  const { rows } = await client.query<SummaryRecord & { unread: string[] }>(
    `SELECT ${SUMMARY_COLUMNS},
       (SELECT coalesce(json_agg(d.name ORDER BY d.created_at, d.id), '[]')
        FROM documents d JOIN knowledge_bases b ON b.workspace_id = d.workspace_id AND b.id = d.base_id
        WHERE d.workspace_id = c.workspace_id AND b.conversation_id = c.id
          AND d.status NOT IN ('ready', 'failed')) AS unread
     FROM conversations c ${SUMMARY_JOINS} WHERE c.workspace_id = $1 AND c.id = $2`,
    [workspaceId, conversationId],
  );
  const row = rows[0];
  if (!row) throw new AppError("NOT_FOUND", "There is no such conversation. It may have been deleted.");
  const { target, status } = toSummary(row);
  return { target, status, openRequests: row.open_requests, unread: row.unread };
}
