import { v7 as uuid } from "uuid";
import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { retrievalSettings } from "@/server/knowledge/schema";
import { BUILT_IN_DIMS } from "@/server/retrieval/built-in-embedder";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";

/** The id of a listed base. The hidden base of a conversation is reached through its conversation only. */
export async function findBase(workspaceId: WorkspaceId, baseId: string): Promise<string> {
  const { rowCount } = await pool().query(
    "SELECT 1 FROM knowledge_bases WHERE workspace_id = $1 AND id = $2 AND conversation_id IS NULL",
    [workspaceId, baseId],
  );
  if (rowCount === 0) throw new AppError("NOT_FOUND", "There is no such knowledge base.");
  return baseId;
}

/** The id of the hidden base that holds a conversation's attachments, made with the first of them. */
export async function openAttachments({ workspaceId, userId }: Scope, conversationId: string): Promise<string> {
  const conversation = await pool().query("SELECT 1 FROM conversations WHERE workspace_id = $1 AND id = $2", [
    workspaceId,
    conversationId,
  ]);
  if (conversation.rowCount === 0) throw new AppError("NOT_FOUND", "There is no such conversation.");
  await pool().query(
    `INSERT INTO knowledge_bases (id, workspace_id, conversation_id, name, dims, settings, created_by_id)
     VALUES ($1, $2, $3, 'Attachments', $4, $5, $6) ON CONFLICT (workspace_id, conversation_id) DO NOTHING`,
    [uuid(), workspaceId, conversationId, BUILT_IN_DIMS, JSON.stringify(retrievalSettings.parse({})), userId],
  );
  const { rows } = await pool().query<{ id: string }>(
    "SELECT id FROM knowledge_bases WHERE workspace_id = $1 AND conversation_id = $2",
    [workspaceId, conversationId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "There is no such conversation.");
  return rows[0].id;
}
