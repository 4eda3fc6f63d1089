import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { FeedbackEntry } from "../schema";
import { ENTRY_COLUMNS, ENTRY_JOIN, type EntryRecord, withInstants } from "./feedback-columns";

/** Of one answer or one conversation; more are found on the page of feedback. */
const MOST = 500;

/** What is said of the answer of a run, oldest first. Nothing where there is no such run. */
export async function listOnRun(workspaceId: WorkspaceId, runId: string): Promise<FeedbackEntry[]> {
  return read(workspaceId, "f.run_id = $2", runId);
}

/** What is said of the answers of a conversation, oldest first. */
export async function listOnConversation(workspaceId: WorkspaceId, conversationId: string): Promise<FeedbackEntry[]> {
  return read(
    workspaceId,
    "f.run_id IN (SELECT r.id FROM runs r WHERE r.workspace_id = $1 AND r.conversation_id = $2)",
    conversationId,
  );
}

async function read(workspaceId: WorkspaceId, which: string, id: string): Promise<FeedbackEntry[]> {
  const { rows } = await pool().query<EntryRecord>(
    `SELECT * FROM (
       SELECT ${ENTRY_COLUMNS} FROM feedback f ${ENTRY_JOIN}
       WHERE f.workspace_id = $1 AND ${which} ORDER BY f.at DESC, f.id DESC LIMIT ${MOST}
     ) newest ORDER BY at, id`,
    [workspaceId, id],
  );
  return rows.map(withInstants);
}
