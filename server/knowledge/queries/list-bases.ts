import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { BaseSummary } from "../schema";
import { BASE_COLUMNS, BASE_JOINS } from "./base-columns";

/** The bases of a workspace by name, without those that hold a conversation's attachments. */
export async function listBases(workspaceId: WorkspaceId): Promise<BaseSummary[]> {
  const { rows } = await pool().query<BaseSummary>(
    `SELECT ${BASE_COLUMNS} FROM knowledge_bases b ${BASE_JOINS}
     WHERE b.workspace_id = $1 AND b.conversation_id IS NULL ORDER BY lower(b.name), b.id`,
    [workspaceId],
  );
  return rows;
}
