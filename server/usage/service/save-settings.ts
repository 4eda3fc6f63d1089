import { pool } from "@/server/db";
import type { Scope } from "@/server/workspaces/scope";
import type { Limits, Retention } from "../schema";

/** What was started and stored before stays, also where it is more than the new limits allow. */
export async function saveLimits({ scope, input }: { scope: Scope; input: Limits }): Promise<void> {
  await pool().query(
    // Runs that are under way reserve their calls from now on.
    // What the day has cost so far is summed anew.
    `WITH saved AS (UPDATE workspaces SET limits = $2 WHERE id = $1),
       forgotten AS (DELETE FROM workspace_days WHERE workspace_id = $1)
     SELECT pg_notify('troupe_work', 'budget:' || $1::text)`,
    [scope.workspaceId, JSON.stringify(input)],
  );
}

/** Removes nothing now. The daily job does, beginning a day later, so that a slip of the hand can be taken back. */
export async function saveRetention({ scope, input }: { scope: Scope; input: Retention }): Promise<void> {
  await pool().query(
    `WITH saved AS (UPDATE workspaces SET retention = $2 WHERE id = $1)
     INSERT INTO workspace_upkeep (workspace_id, clean_due_at) VALUES ($1, now() + interval '1 day')
     ON CONFLICT (workspace_id) DO UPDATE SET clean_due_at = excluded.clean_due_at`,
    [scope.workspaceId, JSON.stringify(input)],
  );
}
