import { VECTOR_VERSION } from "@/server/decisions/rules/compared-parts";
import { TERMINAL_STATUSES } from "@/server/engine/state";
import { readByIndex } from "@/server/read-by-index";
import { RUN_VECTOR_VERSION } from "@/server/runs/rules";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { PreparedCount } from "../schema";

/** A model's vectors; `dims` null: whatever their length. */
type Made = { model: string; dims: number | null };

const COUNTS =
  "count(*)::int AS total, (count(*) FILTER (WHERE NOT v.refused))::int AS ready, (count(*) FILTER (WHERE v.refused))::int AS refused";
const madeBy = (version: number) => `v.version = ${version} AND v.model = $2 AND v.dims = coalesce($3::int, v.dims)`;

/** How many of the runs that have ended, and of the decisions, have a vector of that model. */
export async function countPrepared(
  workspaceId: WorkspaceId,
  { model, dims }: Made,
): Promise<{ runs: PreparedCount; decisions: PreparedCount }> {
  const [runs] = await readByIndex<PreparedCount>(
    `SELECT ${COUNTS} FROM runs r LEFT JOIN run_vectors v ON v.run_id = r.id AND ${madeBy(RUN_VECTOR_VERSION)}
     WHERE r.workspace_id = $1 AND r.status = ANY($4::run_status[]) AND r.removing_at IS NULL`,
    [workspaceId, model, dims, TERMINAL_STATUSES],
  );
  const [decisions] = await readByIndex<PreparedCount>(
    `SELECT ${COUNTS} FROM decisions d LEFT JOIN decision_vectors v ON v.decision_id = d.id AND ${madeBy(VECTOR_VERSION)}
     WHERE d.workspace_id = $1`,
    [workspaceId, model, dims],
  );
  const none = { total: 0, ready: 0, refused: 0 };
  return { runs: runs ?? none, decisions: decisions ?? none };
}
