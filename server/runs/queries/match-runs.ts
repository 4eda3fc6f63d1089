import { pool } from "@/server/db";
import { MOST_RANKED } from "@/server/retrieval/ranked-pages";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { MOST_MATCHES, type RunFilters } from "../list-schema";
import { isRanked, rankRuns } from "./rank-runs";
import { runConditions } from "./run-conditions";

/** Ids of every run that matches, newest first; of very many the newest. By likeness: of all that a list shows, the most alike first. */
export async function matchRuns(
  workspaceId: WorkspaceId,
  filters: RunFilters,
): Promise<{ runIds: string[]; more: boolean }> {
  if (isRanked(filters)) {
    const ranked = await rankRuns(workspaceId, filters, { place: 0, limit: MOST_RANKED });
    return { runIds: ranked.map(({ id }) => id), more: false };
  }
  const values: unknown[] = [workspaceId];
  const conditions = runConditions(filters, (value) => `$${values.push(value)}`);
  const { rows } = await pool().query<{ id: string }>(
    `SELECT r.id FROM runs r WHERE ${conditions.join(" AND ")}
     ORDER BY r.created_at DESC, r.id LIMIT ${MOST_MATCHES + 1}`,
    values,
  );
  return { runIds: rows.slice(0, MOST_MATCHES).map(({ id }) => id), more: rows.length > MOST_MATCHES };
}
