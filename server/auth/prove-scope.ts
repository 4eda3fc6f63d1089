import { AppError } from "@/server/errors";
import { findMembership } from "@/server/workspaces/queries";
import { provenWorkspace, type Scope } from "@/server/workspaces/scope";

/**
 * Proves the workspace and the role from the members table, on each request: a session knows the user only.
 * The only place where a request becomes a Scope. Throws NOT_ALLOWED for a member of no workspace.
 */
export async function proveScope(user: { id: string; name: string }): Promise<Scope> {
  const membership = await findMembership(user.id);
  if (!membership) throw new AppError("NOT_ALLOWED", "You are not a member of a workspace. Ask an owner to add you.");
  return {
    workspaceId: provenWorkspace(membership.workspaceId),
    userId: user.id,
    userName: user.name,
    role: membership.role,
  };
}
