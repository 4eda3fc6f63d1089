import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { type BaseDetail, type BaseSummary, retrievalSettings } from "../schema";
import { BASE_COLUMNS, BASE_JOINS } from "./base-columns";

export const NO_BASE = "There is no such knowledge base, or it was deleted.";

type DetailRecord = BaseSummary & Pick<BaseDetail, "dims" | "reembedding"> & { settings: unknown };

/** A listed base. Throws NOT_FOUND, also for the hidden base of a conversation. */
export async function getBase(workspaceId: WorkspaceId, baseId: string): Promise<BaseDetail> {
  const { rows } = await pool().query<DetailRecord>(
    `SELECT ${BASE_COLUMNS}, b.settings, b.dims,
       CASE WHEN b.next_embedding IS NOT NULL THEN json_build_object(
         'embeddingModel', b.next_embedding ->> 'embeddingModel', 'total', b.chunk_count,
         'problem', b.next_embedding ->> 'problem',
         'done', (SELECT count(*) FROM chunk_embeddings e JOIN chunks c ON c.id = e.chunk_id
           JOIN documents v ON v.id = c.document_id AND v.live_revision = c.revision
           WHERE e.base_id = b.id AND e.generation = (b.next_embedding ->> 'generation')::int)) END AS reembedding
     FROM knowledge_bases b ${BASE_JOINS}
     WHERE b.workspace_id = $1 AND b.id = $2 AND b.conversation_id IS NULL`,
    [workspaceId, baseId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", NO_BASE);
  return { ...rows[0], settings: retrievalSettings.parse(rows[0].settings) };
}

export type BaseStanding = { baseId: string; conversationId: string | null };

/** Any base, hidden ones too. Throws NOT_FOUND. */
export async function getBaseStanding(workspaceId: WorkspaceId, baseId: string): Promise<BaseStanding> {
  const { rows } = await pool().query<BaseStanding>(
    `SELECT id AS "baseId", conversation_id AS "conversationId" FROM knowledge_bases WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, baseId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", NO_BASE);
  return rows[0];
}
