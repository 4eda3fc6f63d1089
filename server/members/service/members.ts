import type pg from "pg";
import { AppError } from "@/server/errors";
import { unassignMember } from "@/server/requests/service/assign";
import { inTransaction } from "@/server/transaction";
import type { Role, Scope } from "@/server/workspaces/scope";

/**
 * Gives a member another role; whoever is an owner no longer has no open invitations either. Throws NOT_FOUND, and CONFLICT
 * for the last owner: somebody must be able to let others in.
 */
export async function setRole({ scope, userId, role }: { scope: Scope; userId: string; role: Role }): Promise<void> {
  await inTransaction(async (client) => {
    await lockMember(client, scope, userId, role === "owner");
    await client.query("UPDATE members SET role = $3::member_role WHERE workspace_id = $1 AND user_id = $2", [
      scope.workspaceId,
      userId,
      role,
    ]);
    if (role !== "owner") await withdrawInvites(client, scope, userId);
    if (role === "viewer") await unassignMember(client, scope, userId);
  });
}

/** Takes a person out of the workspace. What they did stays, but for their open invitations and what was assigned to them. Throws as setRole does. */
export async function removeMember({ scope, userId }: { scope: Scope; userId: string }): Promise<void> {
  await inTransaction(async (client) => {
    await lockMember(client, scope, userId, false);
    await client.query("DELETE FROM members WHERE workspace_id = $1 AND user_id = $2", [scope.workspaceId, userId]);
    await withdrawInvites(client, scope, userId);
    await unassignMember(client, scope, userId);
  });
}

/** Of somebody who is no longer an owner: a link kept back would be a way in again. */
async function withdrawInvites(client: pg.PoolClient, scope: Scope, userId: string): Promise<void> {
  await client.query(
    `UPDATE invites SET revoked_at = now()
     WHERE workspace_id = $1 AND created_by_id = $2 AND used_at IS NULL AND revoked_at IS NULL`,
    [scope.workspaceId, userId],
  );
}

/** All members are locked, so that of two owners who demote each other at the same moment one stays. */
async function lockMember(client: pg.PoolClient, scope: Scope, userId: string, staysOwner: boolean): Promise<void> {
  const { rows } = await client.query<{ user_id: string; role: Role }>(
    "SELECT user_id, role FROM members WHERE workspace_id = $1 ORDER BY user_id FOR UPDATE",
    [scope.workspaceId],
  );
  const member = rows.find(({ user_id }) => user_id === userId);
  if (!member) throw new AppError("NOT_FOUND", "This person is not a member (any more).");
  // The caller's own rights may have gone while this waited.
  if (rows.find(({ user_id }) => user_id === scope.userId)?.role !== "owner") {
    throw new AppError("NOT_ALLOWED", "Only an owner may do this.");
  }
  const owners = rows.filter(({ role }) => role === "owner");
  if (member.role === "owner" && owners.length === 1 && !staysOwner) {
    throw new AppError("CONFLICT", "This is the last owner. Make somebody else an owner first.");
  }
}
