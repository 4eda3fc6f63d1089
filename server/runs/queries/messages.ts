import { pool } from "@/server/db";
import type { ModelMessage } from "@/server/models/model";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { MessageView } from "../step-schema";
import { findBlobs } from "./blobs";

/** A message kept in place, or the hash of the blob that holds it. */
type StoredMessage = ModelMessage | { blob: string; bytes: number };

/** Messages `from` (inclusive) to `to` (exclusive) of an agent run, in order, whole. */
export async function listMessages(
  workspaceId: WorkspaceId,
  range: { agentRunId: string; from: number; to: number },
): Promise<MessageView[]> {
  const { rows } = await pool().query<{ content: StoredMessage }>(
    `SELECT content FROM messages
     WHERE workspace_id = $1 AND agent_run_id = $2 AND index >= $3 AND index < $4 ORDER BY index`,
    [workspaceId, range.agentRunId, range.from, range.to],
  );
  const stored = rows.map((row) => row.content);
  const blobs = await findBlobs(
    workspaceId,
    stored.flatMap((message) => ("blob" in message ? [message.blob] : [])),
  );
  return stored.map((message) => toMessageView("blob" in message ? parseBlob(blobs, message.blob) : message));
}

export async function findMessage(
  workspaceId: WorkspaceId,
  place: { agentRunId: string; index: number },
): Promise<MessageView | null> {
  const [message] = await listMessages(workspaceId, { ...place, from: place.index, to: place.index + 1 });
  return message ?? null;
}

function parseBlob(blobs: Map<string, string>, hash: string): ModelMessage {
  const content = blobs.get(hash);
  if (content === undefined) throw new Error(`Blob ${hash} of a message is missing.`);
  return JSON.parse(content) as ModelMessage;
}

export function toMessageView(message: ModelMessage): MessageView {
  return {
    role: message.role,
    content: message.content,
    calls: message.role === "assistant" ? message.calls : [],
    callId: message.role === "tool" ? message.callId : null,
  };
}
