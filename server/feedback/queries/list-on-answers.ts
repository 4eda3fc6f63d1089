import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { NO_SUCH_RUN } from "@/server/runs/rules";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { FeedbackEntry } from "../schema";
import { ENTRY_COLUMNS, ENTRY_JOIN, type EntryRecord, withInstants } from "./feedback-columns";

/** Of one answer or one conversation; more are found on the page of feedback. */
const MOST = 500;

/** What is said of the answer of a run, oldest first. Throws NOT_FOUND. */
export async function listOnRun(workspaceId: WorkspaceId, runId: string): Promise<FeedbackEntry[]> {
  const entries = await read(workspaceId, "f.run_id = $2", runId);
  if (entries.length === 0) await assertThere(workspaceId, "runs", runId, NO_SUCH_RUN);
  return entries;
}

/** What is said of the answers of a conversation, oldest first. Throws NOT_FOUND. */
export async function listOnConversation(workspaceId: WorkspaceId, conversationId: string): Promise<FeedbackEntry[]> {
  const entries = await read(
    workspaceId,
    "f.run_id IN (SELECT r.id FROM runs r WHERE r.workspace_id = $1 AND r.conversation_id = $2)",
    conversationId,
  );
  if (entries.length === 0) {
    const sentence = "There is no such conversation. It may have been deleted.";
    await assertThere(workspaceId, "conversations", conversationId, sentence);
  }
  return entries;
}

async function assertThere(
  workspaceId: WorkspaceId,
  table: "runs" | "conversations",
  id: string,
  sentence: string,
): Promise<void> {
  const { rowCount } = await pool().query(`SELECT FROM ${table} WHERE workspace_id = $1 AND id = $2`, [
    workspaceId,
    id,
  ]);
  if (!rowCount) throw new AppError("NOT_FOUND", sentence);
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
