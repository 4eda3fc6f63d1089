import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { RunNeighbourInput } from "../list-schema";
import { NO_SUCH_RUN } from "../rules";
import { runConditions } from "./run-conditions";

/** Of each direction: what lies there, and what of it is next. A list goes by (created_at descending, id), see `listRuns`. */
const WAYS = {
  older: {
    beyond: "r.created_at <= o.created_at AND (r.created_at < o.created_at OR r.id > o.id)",
    order: "r.created_at DESC, r.id",
  },
  newer: {
    beyond: "r.created_at >= o.created_at AND (r.created_at > o.created_at OR r.id < o.id)",
    order: "r.created_at, r.id DESC",
  },
};

/**
 * The run next to one among those that match, by when they were created: also of a list by likeness. Null at the end of the list. Throws
 * NOT_FOUND for a run that is not there.
 */
export async function findNeighbour(
  workspaceId: WorkspaceId,
  { runId, which, ...filters }: RunNeighbourInput,
): Promise<{ runId: string | null }> {
  const values: unknown[] = [workspaceId, runId];
  const conditions = runConditions(filters, (value) => `$${values.push(value)}`);
  const { beyond, order } = WAYS[which];
  const { rows } = await pool().query<{ id: string | null }>(
    `SELECT (SELECT r.id FROM runs r WHERE ${conditions.join(" AND ")} AND ${beyond} ORDER BY ${order} LIMIT 1) AS id
     FROM runs o WHERE o.workspace_id = $1 AND o.id = $2 AND o.removing_at IS NULL`,
    values,
  );
  const [row] = rows;
  if (!row) throw new AppError("NOT_FOUND", NO_SUCH_RUN);
  return { runId: row.id };
}
