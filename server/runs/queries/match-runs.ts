import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { MOST_MATCHES, type RunFilters } from "../schema";
import { runConditions } from "./run-conditions";

/** Ids of every run that matches, newest first; of very many the newest. */
export async function matchRuns(
  workspaceId: WorkspaceId,
  filters: RunFilters,
): Promise<{ runIds: string[]; more: boolean }> {
  const values: unknown[] = [workspaceId];
  const conditions = runConditions(filters, (value) => `$${values.push(value)}`);
  const { rows } = await pool().query<{ id: string }>(
    `SELECT r.id FROM runs r WHERE ${conditions.join(" AND ")}
     ORDER BY r.created_at DESC, r.id LIMIT ${MOST_MATCHES + 1}`,
    values,
  );
  return { runIds: rows.slice(0, MOST_MATCHES).map(({ id }) => id), more: rows.length > MOST_MATCHES };
}
