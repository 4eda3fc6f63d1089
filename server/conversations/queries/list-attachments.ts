import { pool } from "@/server/db";
import { DOCUMENT_COLUMNS } from "@/server/knowledge/queries/list-documents";
import type { DocumentStatus, DocumentView } from "@/server/knowledge/schema";
import type { WorkspaceId } from "@/server/workspaces/scope";

/** What is attached to a conversation, oldest first. */
export async function listAttachments(workspaceId: WorkspaceId, conversationId: string): Promise<DocumentView[]> {
  const { rows } = await pool().query<DocumentView>(
    `SELECT ${DOCUMENT_COLUMNS}
     FROM documents d JOIN knowledge_bases b ON b.workspace_id = d.workspace_id AND b.id = d.base_id
     LEFT JOIN users u ON u.id = d.created_by_id
     WHERE d.workspace_id = $1 AND b.conversation_id = $2 ORDER BY d.created_at, d.id`,
    [workspaceId, conversationId],
  );
  return rows;
}

/** Neither searched yet nor known to be unreadable. */
export function isUnread(status: DocumentStatus): boolean {
  return status !== "ready" && status !== "failed";
}
