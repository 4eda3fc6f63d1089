import { pool } from "@/server/db";
import type { Reader } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";

/** Contents of blobs by hash, their parts joined. A hash nobody stored is simply absent. */
export async function findBlobs(
  workspaceId: WorkspaceId,
  hashes: readonly string[],
  reader: Reader = pool(),
): Promise<Map<string, string>> {
  if (hashes.length === 0) return new Map();
  const { rows } = await reader.query<{ hash: string; content: string }>(
    `SELECT hash, string_agg(content, '' ORDER BY part) AS content
     FROM blobs WHERE workspace_id = $1 AND hash = ANY($2::text[]) GROUP BY hash`,
    [workspaceId, [...new Set(hashes)]],
  );
  return new Map(rows.map((row) => [row.hash, row.content]));
}
