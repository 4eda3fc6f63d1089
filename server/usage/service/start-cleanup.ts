import { v7 as newId } from "uuid";
import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { namesAreUnique } from "@/server/transaction";
import type { Scope } from "@/server/workspaces/scope";
import { cutoffsOf } from "../rules";
import type { Retention } from "../schema";

/**
 * Asks the workers to remove what these rules name, counted back from the instant of the dry run, so that nothing goes that was
 * not shown. Throws INVALID when no rule is set or the dry run lies ahead, CONFLICT while another cleanup is under way.
 */
export async function startCleanup({
  scope: { workspaceId, userId },
  input: { asOf, ...retention },
}: {
  scope: Scope;
  input: Retention & { asOf: string };
}): Promise<{ cleanupId: string }> {
  const cutoffs = cutoffsOf(retention, new Date(asOf));
  if (Object.keys(cutoffs).length === 0)
    throw new AppError("INVALID", "Say what to delete: every kind is kept for ever.");
  const cleanupId = newId();
  const stored = await namesAreUnique("cleanups_unfinished_key", "A cleanup is under way. Wait until it ends.", () =>
    pool().query(
      `INSERT INTO cleanups (id, workspace_id, started_by_id, cutoffs) SELECT $1, $2, $3, $4
       WHERE $5::timestamptz <= now() + interval '1 second'`,
      [cleanupId, workspaceId, userId, JSON.stringify(cutoffs), asOf],
    ),
  );
  if (stored.rowCount === 0) throw new AppError("INVALID", "This dry run lies in the future. Look again, then delete.");
  await pool().query("SELECT tell_changed($1, 'usage', $2), pg_notify('troupe_work', 'usage:' || $2)", [
    ...[workspaceId, cleanupId],
  ]);
  return { cleanupId };
}
