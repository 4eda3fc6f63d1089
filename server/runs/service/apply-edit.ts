import type pg from "pg";
import { storedMessage } from "@/server/engine/journal/stored-message";
import { storable, storedJson } from "@/server/engine/stored-json";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { EditedFork } from "./find-edited";

/** Changes the copy, before it goes on. Inside the transaction that made it. */
export async function applyEdit(
  client: pg.ClientBase,
  edited: EditedFork,
  {
    workspaceId,
    agentRunId,
    position,
    sourceAgentRunId,
  }: { workspaceId: WorkspaceId; agentRunId: string; position: number; sourceAgentRunId: string },
): Promise<void> {
  const { messages, task, decision, firstMessages } = edited;
  if (firstMessages > 0) {
    await client.query(
      `insert into messages (agent_run_id, index, workspace_id, role, content)
       select $2, index, workspace_id, role, content from messages where workspace_id = $1 and agent_run_id = $3 and index < $4
       on conflict do nothing`,
      [workspaceId, agentRunId, sourceAgentRunId, firstMessages],
    );
  }
  for (const { index, message } of messages) {
    const { content, blobs } = storedMessage(message);
    for (const blob of blobs) {
      await client.query(
        "insert into blobs (workspace_id, hash, part, content) values ($1, $2, $3, $4) on conflict do nothing",
        [workspaceId, blob.hash, blob.part, blob.content],
      );
    }
    const { rowCount } = await client.query(
      "update messages set content = $4 where workspace_id = $1 and agent_run_id = $2 and index = $3",
      [workspaceId, agentRunId, index, storedJson(content)],
    );
    if (rowCount !== 1) throw new Error(`the copy of ${sourceAgentRunId} has no message ${index}`);
    const bytes = Buffer.byteLength(message.content ?? "");
    await client.query(
      "update steps set output_bytes = $4 where workspace_id = $1 and agent_run_id = $2 and reply_message = $3",
      [workspaceId, agentRunId, index, bytes],
    );
  }
  if (task !== null) {
    await client.query(
      `with asked as (update agent_runs set task = $3 where workspace_id = $1 and id = $2 returning run_id, parent_id)
       update runs set input = $3 from asked where runs.workspace_id = $1 and runs.id = asked.run_id and asked.parent_id is null`,
      [workspaceId, agentRunId, storable(task)],
    );
  }
  if (decision) {
    await client.query(
      `update decisions set kind = $4, chosen = $5, reason = $6, source = $7
       where workspace_id = $1 and agent_run_id = $2 and position = $3 and ordinal = 0`,
      [workspaceId, agentRunId, position, decision.kind, storedJson(decision.chosen), decision.reason, decision.source],
    );
  }
}
