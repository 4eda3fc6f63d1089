import { createHash, randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { Prisma } from "@/prisma/generated/client";
import { hashPassword } from "@/server/auth/password";
import { db } from "@/server/db";
import { AppError } from "@/server/errors";
import type { Role, Scope } from "@/server/workspaces/scope";
import { toInviteView } from "../queries";
import type { InviteView } from "../schema";

const DAY_MS = 24 * 60 * 60 * 1000;
/** One sentence for every reason, so that a guess learns nothing. */
const NOT_VALID = "This invitation is not valid. It was used, withdrawn or has expired: ask for a new one.";

const hashOfToken = (token: string) => createHash("sha256").update(token).digest("base64url");

type CreateInvite = { scope: Scope; role: Role; note: string; expiresInDays: number };

/** Makes an invitation. The token is returned this once; only its hash is stored. */
export async function createInvite(input: CreateInvite): Promise<{ invite: InviteView; token: string }> {
  const { scope, role, note, expiresInDays } = input;
  const token = randomBytes(32).toString("base64url");
  const invite = await db().invite.create({
    data: {
      id: uuidv7(),
      workspaceId: scope.workspaceId,
      tokenHash: hashOfToken(token),
      role,
      note,
      createdById: scope.userId,
      expiresAt: new Date(Date.now() + expiresInDays * DAY_MS),
    },
    include: { createdBy: { select: { name: true } } },
  });
  return { invite: toInviteView(invite), token };
}

/** Withdraws an invitation nobody has used yet. Throws NOT_FOUND otherwise. */
export async function revokeInvite({ scope, inviteId }: { scope: Scope; inviteId: string }): Promise<void> {
  const { count } = await db().invite.updateMany({
    where: { workspaceId: scope.workspaceId, id: inviteId, usedAt: null, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  if (count === 0) throw new AppError("NOT_FOUND", "This invitation was used or withdrawn already.");
}

/** What the holder of a link may know before using it. Throws INVALID with one sentence for every kind of bad token. */
export async function lookAtInvite(
  token: string,
): Promise<{ workspaceName: string; role: Role; invitedBy: string | null; expiresAt: string }> {
  const invite = await db().invite.findFirst({
    where: usable(token),
    select: {
      role: true,
      expiresAt: true,
      workspace: { select: { name: true } },
      createdBy: { select: { name: true } },
    },
  });
  if (!invite) throw new AppError("INVALID", NOT_VALID);
  return {
    workspaceName: invite.workspace.name,
    role: invite.role,
    invitedBy: invite.createdBy?.name ?? null,
    expiresAt: invite.expiresAt.toISOString(),
  };
}

type AcceptInvite = { token: string; name: string; email: string; password: string };
type Accepted = { workspaceName: string; role: Role };

/** Makes a new person a member. CONFLICT when the address has an account: its owner signs in and joins. */
export async function acceptInvite({ token, name, email, password }: AcceptInvite): Promise<Accepted> {
  // Before the slow hash: a bad token costs nothing.
  await lookAtInvite(token);
  const passwordHash = await hashPassword(password);
  return db().$transaction(async (tx) => {
    const invite = await use(tx, token);
    const taken = await tx.user.findUnique({ where: { email }, select: { id: true } });
    if (taken) {
      throw new AppError("CONFLICT", "This address already has an account. Sign in, then open the link again.");
    }
    const user = await tx.user.create({ data: { id: uuidv7(), name, email, passwordHash }, select: { id: true } });
    return join(tx, invite, user.id);
  });
}

/** Makes somebody who is signed in a member. CONFLICT when they are one already; the invitation stays unused then. */
export async function joinWithInvite({ token, userId }: { token: string; userId: string }): Promise<Accepted> {
  return db().$transaction(async (tx) => {
    const invite = await use(tx, token);
    const already = await tx.member.findFirst({ where: { userId }, select: { workspaceId: true } });
    if (already) throw new AppError("CONFLICT", "You are a member of a workspace here already.");
    return join(tx, invite, userId);
  });
}

type UsedInvite = { id: string; workspaceId: string; role: Role };

/** Takes the invitation: of two at the same moment one gets it. Rolled back with whatever fails after it. */
async function use(tx: Prisma.TransactionClient, token: string): Promise<UsedInvite> {
  const [invite] = await tx.invite.updateManyAndReturn({
    where: usable(token),
    data: { usedAt: new Date() },
    select: { id: true, workspaceId: true, role: true },
  });
  if (!invite) throw new AppError("INVALID", NOT_VALID);
  return invite;
}

async function join(tx: Prisma.TransactionClient, invite: UsedInvite, userId: string): Promise<Accepted> {
  await tx.invite.update({ where: { id: invite.id }, data: { usedById: userId } });
  await tx.member.create({ data: { workspaceId: invite.workspaceId, userId, role: invite.role } });
  const { name } = await tx.workspace.findUniqueOrThrow({ where: { id: invite.workspaceId }, select: { name: true } });
  return { workspaceName: name, role: invite.role };
}

function usable(token: string): Prisma.InviteWhereInput {
  return { tokenHash: hashOfToken(token), usedAt: null, revokedAt: null, expiresAt: { gt: new Date() } };
}
