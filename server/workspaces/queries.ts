import { db } from "@/server/db";
import { AppError } from "@/server/errors";
import type { Role, Scope } from "./scope";

export type Membership = { workspaceId: string; role: Role };

/**
 * The workspace a person works in, and as what. Read on every request: a role taken away counts at once.
 * A person in several workspaces gets the one joined first. Null for somebody who is a member of none.
 */
export async function findMembership(userId: string): Promise<Membership | null> {
  return db().member.findFirst({
    where: { userId },
    orderBy: [{ createdAt: "asc" }, { workspaceId: "asc" }],
    select: { workspaceId: true, role: true },
  });
}

/** Name of the caller's workspace. Throws NOT_FOUND when it was deleted meanwhile. */
export async function getWorkspace(scope: Scope): Promise<{ id: string; name: string }> {
  const workspace = await db().workspace.findUnique({
    where: { id: scope.workspaceId },
    select: { id: true, name: true },
  });
  if (!workspace) throw new AppError("NOT_FOUND", "This workspace no longer exists.");
  return workspace;
}
