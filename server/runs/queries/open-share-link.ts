import { pool } from "@/server/db";
import { hashOf } from "@/server/engine/ids";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";

/**
 * Where a link leads. One that was guessed, taken back, has expired, or is another workspace's is refused in the same words (A44). Throws
 * NOT_FOUND.
 */
export async function openShareLink(
  workspaceId: WorkspaceId,
  token: string,
): Promise<{ runId: string; place: string | null }> {
  const { rows } = await pool().query<{ runId: string; place: string | null }>(
    `SELECT l.run_id AS "runId", l.place FROM share_links l JOIN runs r ON r.workspace_id = l.workspace_id AND r.id = l.run_id
     WHERE l.workspace_id = $1 AND l.token_hash = $2 AND l.revoked_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > now())
       AND r.removing_at IS NULL`,
    [workspaceId, hashOf(token)],
  );
  const [found] = rows;
  if (!found)
    throw new AppError("NOT_FOUND", "This link leads nowhere: it has expired, was taken back, or is mistyped.");
  return found;
}
