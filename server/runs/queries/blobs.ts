import { pool } from "@/server/db";
import type { Reader } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { ofRun } from "./of-run";

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

/** Hashes of the blobs that something of a run names, each once. */
export async function listBlobHashes(workspaceId: WorkspaceId, runId: string): Promise<string[]> {
  const { rows } = await pool().query<{ hash: string }>(
    `SELECT d.options_hash AS hash FROM decisions d WHERE d.workspace_id = $1 AND ${ofRun("d", "$2")} AND d.options_hash IS NOT NULL
     UNION SELECT s.request_hash FROM steps s WHERE s.workspace_id = $1 AND ${ofRun("s", "$2")} AND s.request_hash IS NOT NULL
     UNION SELECT m.content ->> 'blob' FROM agent_runs a JOIN messages m ON m.workspace_id = a.workspace_id AND m.agent_run_id = a.id
       WHERE a.workspace_id = $1 AND a.run_id = $2 AND m.content ? 'blob'`,
    [workspaceId, runId],
  );
  return rows.map(({ hash }) => hash);
}
