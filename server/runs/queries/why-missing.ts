import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";

/** The error for a run that is not there: who removed it, where somebody of this workspace did. */
export async function whyMissing(workspaceId: WorkspaceId, runId: string): Promise<AppError> {
  const { rows } = await pool().query<{ by: string | null; removed_at: Date }>(
    `SELECT u.name AS by, g.removed_at FROM removed_runs g LEFT JOIN users u ON u.id = g.removed_by_id
     WHERE g.workspace_id = $1 AND g.run_id = $2`,
    [workspaceId, runId],
  );
  const [removed] = rows;
  if (!removed) return new AppError("NOT_FOUND", "This run does not exist, or it is in another workspace.");
  const day = removed.removed_at.toISOString().slice(0, 10);
  return new AppError("NOT_FOUND", `${removed.by ?? "Somebody"} removed this run on ${day}.`);
}
