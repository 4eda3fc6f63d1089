import { db } from "@/server/db";
import type { Scope } from "@/server/workspaces/scope";
import type { InviteView, MemberView } from "./schema";

/** Everybody in the workspace, by name. */
export async function listMembers(scope: Scope): Promise<MemberView[]> {
  const rows = await db().member.findMany({
    where: { workspaceId: scope.workspaceId },
    select: { role: true, createdAt: true, user: { select: { id: true, name: true, email: true } } },
    orderBy: [{ user: { name: "asc" } }, { userId: "asc" }],
  });
  return rows.map(({ role, createdAt, user }) => ({
    userId: user.id,
    name: user.name,
    email: user.email,
    role,
    isYou: user.id === scope.userId,
    joinedAt: createdAt.toISOString(),
  }));
}

/** Invitations that can still be used, newest first. */
export async function listInvites(scope: Scope): Promise<InviteView[]> {
  const rows = await db().invite.findMany({
    where: { workspaceId: scope.workspaceId, usedAt: null, revokedAt: null, expiresAt: { gt: new Date() } },
    include: { createdBy: { select: { name: true } } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  return rows.map(toInviteView);
}

type InviteRow = {
  id: string;
  role: InviteView["role"];
  note: string;
  createdBy: { name: string } | null;
  createdAt: Date;
  expiresAt: Date;
};

export function toInviteView({ id, role, note, createdBy, createdAt, expiresAt }: InviteRow): InviteView {
  return {
    id,
    role,
    note,
    createdBy: createdBy?.name ?? null,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
