import { pool } from "@/server/db";
import type { Scope } from "@/server/workspaces/scope";
import { runFilters } from "../list-schema";
import type { RunView } from "../views-schema";

type Row = Omit<RunView, "filters"> & { filters: unknown };

/** One's own views and those shared with the workspace, by name. */
export async function listViews({ workspaceId, userId }: Scope): Promise<RunView[]> {
  const { rows } = await pool().query<Row>(
    `SELECT v.id, v.name, v.filters, v.is_shared AS "isShared", v.user_id = $2 AS "isMine", u.name AS by
     FROM run_views v JOIN users u ON u.id = v.user_id
     WHERE v.workspace_id = $1 AND (v.user_id = $2 OR v.is_shared)
     ORDER BY lower(v.name), v.id`,
    [workspaceId, userId],
  );
  return rows.map((row) => ({ ...row, filters: runFilters.parse(row.filters) }));
}
