import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";

export type StoredFile = { id: string; name: string; mediaType: string; sizeBytes: number };

/** Null when there is no such file here, or it has not arrived whole. */
export async function findStoredFile(workspaceId: WorkspaceId, fileId: string): Promise<StoredFile | null> {
  const { rows } = await pool().query<StoredFile>(
    `SELECT id, name, media_type AS "mediaType", size_bytes::float8 AS "sizeBytes" FROM files
     WHERE workspace_id = $1 AND id = $2 AND status = 'stored'`,
    [workspaceId, fileId],
  );
  return rows[0] ?? null;
}

/** A stored file part by part; ends early when it is deleted meanwhile. */
export async function* readParts(workspaceId: string, fileId: string): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const { rows } = await pool().query<{ content: Buffer }>({
      name: "read_file_part",
      text: "SELECT content FROM file_parts WHERE workspace_id = $1 AND file_id = $2 AND part = $3",
      values: [workspaceId, fileId, part],
    });
    if (!rows[0]) return;
    yield rows[0].content;
  }
}
