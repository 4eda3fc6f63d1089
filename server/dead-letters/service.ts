import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { assertNotPaused } from "@/server/runs/store-run";
import type { Scope } from "@/server/workspaces/scope";
import { getDeadLetter } from "./queries";
import type { DeadLetterView } from "./schema";

/** Marks open ones as seen, with who did so. What is not open, or of another workspace, stays as it is and is not counted. */
export async function acknowledge(
  { workspaceId, userId }: Scope,
  { deadLetterIds, note }: { deadLetterIds: readonly string[]; note: string },
): Promise<{ count: number }> {
  const { rowCount } = await pool().query(
    `UPDATE dead_letters SET status = 'acknowledged', changed_by_id = $2, changed_at = now(), note = coalesce(nullif($4, ''), note)
     WHERE workspace_id = $1 AND id = ANY($3::uuid[]) AND status = 'open'`,
    [workspaceId, userId, deadLetterIds, note],
  );
  return { count: rowCount ?? 0 };
}

/**
 * Has a tool's call made again by a worker, under the key it was sent with (AGT-RES-14). Throws NOT_FOUND, and CONFLICT for a model's call,
 * for one that is not open, and for one that writes without a key unless the person says that nothing happened; INVALID while everything
 * in the workspace is paused.
 */
export async function replay(
  scope: Scope,
  { deadLetterId, nothingHappened }: { deadLetterId: string; nothingHappened: boolean },
): Promise<DeadLetterView> {
  const { workspaceId, userId } = scope;
  const { repeats, operation } = await getDeadLetter(workspaceId, deadLetterId);
  if (repeats === "run") {
    throw new AppError(
      "CONFLICT",
      "A model's call cannot be made again by itself. Start its run again from the run's page.",
    );
  }
  if (repeats === "unkeyed" && !nothingHappened) {
    const why = `${operation} writes, and the far side cannot tell a repeated call from a new one.`;
    throw new AppError("CONFLICT", `${why} Look there first, then confirm that nothing happened.`);
  }
  await assertNotPaused(pool(), workspaceId);
  const { rowCount } = await pool().query(
    `WITH asked AS (
       UPDATE dead_letters SET status = 'requested', changed_by_id = $2, changed_at = now(), note = NULL
       WHERE workspace_id = $1 AND id = $3 AND status = 'open' RETURNING id)
     SELECT pg_notify('troupe_work', 'replay:' || id) FROM asked`,
    [workspaceId, userId, deadLetterId],
  );
  if (!rowCount) throw new AppError("CONFLICT", "Somebody dealt with this dead letter already. Look at it again.");
  return getDeadLetter(workspaceId, deadLetterId);
}
