import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { type CleanupView, cutoffs, removed } from "../schema";

const SHOWN = 10;

type Row = {
  id: string;
  started_by: string | null;
  cutoffs: unknown;
  removed: unknown;
  problem: string | null;
  created_at: Date;
  finished_at: Date | null;
};

/** The last few cleanups, newest first, with what each removed so far. */
export async function listCleanups(workspaceId: WorkspaceId): Promise<CleanupView[]> {
  const { rows } = await pool().query<Row>(
    `SELECT c.id, u.name AS started_by, c.cutoffs, c.removed, c.problem, c.created_at, c.finished_at
     FROM cleanups c LEFT JOIN users u ON u.id = c.started_by_id
     WHERE c.workspace_id = $1 ORDER BY c.created_at DESC, c.id DESC LIMIT ${SHOWN}`,
    [workspaceId],
  );
  return rows.map((row) => ({
    id: row.id,
    startedBy: row.started_by,
    cutoffs: cutoffs.parse(row.cutoffs),
    removed: removed.parse(row.removed),
    problem: row.problem,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  }));
}
