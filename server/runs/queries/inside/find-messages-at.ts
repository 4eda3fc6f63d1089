import { pool } from "@/server/db";
import type { ModelMessage } from "@/server/models/model";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { MessageView } from "../../step-schema";
import { findBlobs } from "../blobs";
import { toMessageView } from "../messages";

type Place = { agentRunId: string; index: number };
export const placeKey = ({ agentRunId, index }: Place) => `${agentRunId}:${index}`;

/** Messages of several agent runs by place, whole, in two queries whatever their number. One that is not there is absent. */
export async function findMessagesAt(
  workspaceId: WorkspaceId,
  places: readonly Place[],
): Promise<Map<string, MessageView>> {
  if (places.length === 0) return new Map();
  const { rows } = await pool().query<Place & { content: ModelMessage | { blob: string } }>(
    `SELECT m.agent_run_id AS "agentRunId", m.index, m.content
     FROM unnest($2::uuid[], $3::int[]) AS w (agent_run_id, index)
     JOIN messages m ON m.workspace_id = $1 AND m.agent_run_id = w.agent_run_id AND m.index = w.index`,
    [workspaceId, places.map(({ agentRunId }) => agentRunId), places.map(({ index }) => index)],
  );
  const blobs = await findBlobs(
    workspaceId,
    rows.flatMap(({ content }) => ("blob" in content ? [content.blob] : [])),
  );
  return new Map(
    rows.flatMap(({ content, ...place }) => {
      const text = "blob" in content ? blobs.get(content.blob) : undefined;
      if ("blob" in content && text === undefined) return [];
      const message = "blob" in content ? (JSON.parse(text ?? "") as ModelMessage) : content;
      return [[placeKey(place), toMessageView(message)] as const];
    }),
  );
}
