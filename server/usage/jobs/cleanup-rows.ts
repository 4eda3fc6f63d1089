import { v7 as newId } from "uuid";
import { pool } from "@/server/db";
import { STORED_NOW } from "@/server/stored-now";
import { cutoffsOf } from "../rules";
import { cutoffs, removed, storedRetention } from "../schema";
import type { CleanupJob } from "./carry-out-cleanup";

/** Days of cleanups that the page can show. */
const CLEANUPS_KEPT = 30;

type Row = Pick<CleanupJob, "id" | "workspaceId" | "startedById"> & { cutoffs: unknown; removed: unknown };

/** Takes a cleanup that waits for somebody, but for those that just failed: nobody's, this worker's own, or a dead worker's. */
export async function claimCleanup(workerId: string, failed: readonly string[] = []): Promise<CleanupJob | null> {
  const { rows } = await pool().query<Row>(
    `UPDATE cleanups SET worker_id = $1 WHERE id = (
       SELECT id FROM cleanups c WHERE c.finished_at IS NULL AND NOT c.id = ANY($2::uuid[]) AND (c.worker_id IS NULL OR c.worker_id = $1
         OR NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = c.worker_id))
       ORDER BY c.created_at, c.id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING id, workspace_id AS "workspaceId", started_by_id AS "startedById", cutoffs, removed`,
    [workerId, failed],
  );
  const row = rows[0];
  return row ? { ...row, workerId, cutoffs: cutoffs.parse(row.cutoffs), removed: removed.parse(row.removed) } : null;
}

/** Says on the row why it stands still; it is tried again. */
export async function putOffCleanup({ workspaceId, id, workerId }: CleanupJob, problem: string): Promise<void> {
  await pool().query(
    `WITH put_off AS (UPDATE cleanups SET problem = $4 WHERE workspace_id = $1 AND id = $2 AND worker_id = $3 RETURNING id)
     SELECT tell_changed($1, 'usage', id) FROM put_off`,
    [workspaceId, id, workerId, problem],
  );
}

/** Makes the day's cleanup of each workspace that keeps something only for a time, and forgets old ones. */
export async function queueDailyCleanups(): Promise<void> {
  const { rows } = await pool().query<{ workspaceId: string; retention: unknown; now: Date }>(
    `UPDATE workspace_upkeep u SET clean_due_at = now() + interval '1 day' FROM workspaces w
     WHERE w.id = u.workspace_id AND u.clean_due_at <= now()
     RETURNING u.workspace_id AS "workspaceId", w.retention, ${STORED_NOW} AS now`,
  );
  for (const { workspaceId, retention, now } of rows) {
    await pool().query(
      `DELETE FROM cleanups WHERE workspace_id = $1 AND finished_at IS NOT NULL AND id NOT IN (
         SELECT id FROM cleanups WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${CLEANUPS_KEPT})`,
      [workspaceId],
    );
    const before = cutoffsOf(storedRetention.parse(retention), now);
    if (Object.keys(before).length === 0) continue;
    await pool().query(
      "INSERT INTO cleanups (id, workspace_id, cutoffs) VALUES ($1, $2, $3) ON CONFLICT (workspace_id) WHERE finished_at IS NULL DO NOTHING",
      [newId(), workspaceId, JSON.stringify(before)],
    );
  }
}

export async function releaseCleanups(workerId: string): Promise<void> {
  await pool().query("UPDATE cleanups SET worker_id = NULL WHERE worker_id = $1 AND finished_at IS NULL", [workerId]);
}
