import { v7 as newId } from "uuid";
import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { namesAreUnique } from "@/server/transaction";
import type { Scope } from "@/server/workspaces/scope";
import { whyNotChangeView } from "../rules";
import type { ChangeViewInput, SaveViewInput } from "../views-schema";

const MOST_VIEWS = 50;
const NAME_TAKEN = "A view of that name exists already. Choose another name.";

/** Keeps filters under a name. Throws CONFLICT for a name one has, INVALID for too many, NOT_ALLOWED for sharing without the role. */
export async function saveView({
  scope: { workspaceId, userId, role },
  input: { name, filters, isShared },
}: {
  scope: Scope;
  input: SaveViewInput;
}): Promise<{ viewId: string }> {
  assertMayChange(whyNotChangeView(role, { isMine: true, isShared }));
  const viewId = newId();
  const stored = await namesAreUnique("run_views_name_key", NAME_TAKEN, () =>
    pool().query(
      `INSERT INTO run_views (id, workspace_id, user_id, name, filters, is_shared) SELECT $1, $2, $3, $4, $5, $6
       WHERE (SELECT count(*) FROM run_views WHERE workspace_id = $2 AND user_id = $3) < ${MOST_VIEWS}`,
      [viewId, workspaceId, userId, name, JSON.stringify(filters), isShared],
    ),
  );
  if (!stored.rowCount) throw new AppError("INVALID", `You have ${MOST_VIEWS} views already. Delete one first.`);
  return { viewId };
}

/** Renames a view, keeps other filters under it, shares it or stops to. Throws NOT_FOUND, CONFLICT for a name, NOT_ALLOWED. */
export async function changeView({
  scope,
  input: { viewId, name, filters, isShared },
}: {
  scope: Scope;
  input: ChangeViewInput;
}): Promise<{ viewId: string }> {
  const view = await findView(scope, viewId);
  assertMayChange(whyNotChangeView(scope.role, { ...view, isShared: view.isShared || isShared === true }));
  await namesAreUnique("run_views_name_key", NAME_TAKEN, () =>
    pool().query(
      `UPDATE run_views SET name = coalesce($3, name), filters = coalesce($4, filters), is_shared = coalesce($5, is_shared)
       WHERE workspace_id = $1 AND id = $2`,
      [scope.workspaceId, viewId, name ?? null, filters ? JSON.stringify(filters) : null, isShared ?? null],
    ),
  );
  return { viewId };
}

/** Throws NOT_FOUND, and NOT_ALLOWED for a shared one without the role. */
export async function removeView({ scope, viewId }: { scope: Scope; viewId: string }): Promise<{ viewId: string }> {
  assertMayChange(whyNotChangeView(scope.role, await findView(scope, viewId)));
  await pool().query("DELETE FROM run_views WHERE workspace_id = $1 AND id = $2", [scope.workspaceId, viewId]);
  return { viewId };
}

async function findView(
  { workspaceId, userId }: Scope,
  viewId: string,
): Promise<{ isMine: boolean; isShared: boolean }> {
  const { rows } = await pool().query<{ isMine: boolean; isShared: boolean }>(
    `SELECT user_id = $3 AS "isMine", is_shared AS "isShared" FROM run_views
     WHERE workspace_id = $1 AND id = $2 AND (user_id = $3 OR is_shared)`,
    [workspaceId, viewId, userId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "There is no such view. It may have been deleted.");
  return rows[0];
}

function assertMayChange(whyNot: string | null): void {
  if (whyNot) throw new AppError("NOT_ALLOWED", whyNot);
}
