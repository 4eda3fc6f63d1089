import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ChunkView, ListChunksInput } from "../schema";
import { getDocument } from "./list-documents";

/**
 * Passages of a document in reading order: those that are searched, or while none is, those stored so far. Throws NOT_FOUND.
 */
export async function listChunks(
  workspaceId: WorkspaceId,
  input: ListChunksInput,
): Promise<{ items: ChunkView[]; nextCursor: number | null }> {
  await getDocument(workspaceId, input.documentId);
  const { rows } = await pool().query<ChunkView>(
    `SELECT c.id, c.position, c.text, c.heading, c.page, c.terms FROM chunks c
     JOIN documents d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
       AND c.revision = CASE WHEN d.live_revision > 0 THEN d.live_revision ELSE d.revision END
     WHERE c.workspace_id = $1 AND c.document_id = $2 AND c.position >= $3 AND ($4 = '' OR c.text ILIKE $5)
     ORDER BY c.position LIMIT $6`,
    [
      ...[workspaceId, input.documentId, input.cursor ?? 0],
      ...[input.search, `%${input.search.replace(/[\\%_]/g, "\\$&")}%`, input.limit + 1],
    ],
  );
  return { items: rows.slice(0, input.limit), nextCursor: rows[input.limit]?.position ?? null };
}
