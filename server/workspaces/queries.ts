import { db } from "@/server/db";
import { AppError } from "@/server/errors";
import { describeDefaultModel } from "@/server/models/default-model";
import type { Role, Scope, WorkspaceId } from "./scope";

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

/** Whether this is the first workspace of the installation: its owners look after the whole. */
export async function isOldestWorkspace(workspaceId: WorkspaceId): Promise<boolean> {
  const oldest = await db().workspace.findFirst({
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true },
  });
  return oldest?.id === workspaceId;
}

/** What is taken out of whatever comes in, before it is stored or sent to a model. Throws NOT_FOUND. */
export async function getPrivacy(workspaceId: WorkspaceId): Promise<{ redactsPii: boolean }> {
  const workspace = await db().workspace.findUnique({ where: { id: workspaceId }, select: { redactsPii: true } });
  if (!workspace) throw new AppError("NOT_FOUND", "This workspace no longer exists.");
  return workspace;
}

/** What answers where an agent of this workspace names no model. */
export function describeWorkspaceModel(workspaceId: WorkspaceId) {
  return describeDefaultModel(workspaceId);
}
