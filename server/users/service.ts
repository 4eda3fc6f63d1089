import { createHash, timingSafeEqual } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { hashPassword, verifyPassword } from "@/server/auth/password";
import { countPasswordChange } from "@/server/auth/rate-limits";
import { db } from "@/server/db";
import { AppError } from "@/server/errors";
import { isSetupNeeded } from "./queries";
import type { CreateOwnerInput } from "./schema";

const ALREADY_SET_UP = "This installation already has an owner. Sign in instead.";
/** Serialises first visits. Any number would do, as long as nothing else in the product uses it. */
const SETUP_LOCK = 7_401_001;

type CreateOwner = Omit<CreateOwnerInput, "setupToken"> & {
  /** What the visitor typed and what the installation asks for; no `expectedToken` means none is asked. */
  setupToken: string | undefined;
  expectedToken: string | undefined;
};

/**
 * Creates the first person, as owner of the workspace: the one the seed left, renamed, or a new one.
 * Throws CONFLICT once anybody exists (also when two try at the same moment) and NOT_ALLOWED for a wrong setup token.
 */
export async function createOwner(input: CreateOwner): Promise<{ userId: string; workspaceId: string }> {
  if (!(await isSetupNeeded())) throw new AppError("CONFLICT", ALREADY_SET_UP);
  assertToken(input.setupToken, input.expectedToken);
  // Outside the transaction: it takes long, and the embedded database serves one transaction at a time.
  const passwordHash = await hashPassword(input.password);

  return db().$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${SETUP_LOCK}::bigint)`;
      if (await tx.user.findFirst({ select: { id: true } })) throw new AppError("CONFLICT", ALREADY_SET_UP);

      const user = await tx.user.create({
        data: { id: uuidv7(), name: input.name, email: input.email, passwordHash },
        select: { id: true },
      });
      const seeded = await tx.workspace.findFirst({ orderBy: { createdAt: "asc" }, select: { id: true } });
      const name = input.workspaceName;
      const workspace = seeded
        ? await tx.workspace.update({ where: { id: seeded.id }, data: { name }, select: { id: true } })
        : await tx.workspace.create({ data: { id: uuidv7(), name }, select: { id: true } });
      await tx.member.create({ data: { workspaceId: workspace.id, userId: user.id, role: "owner" } });
      return { userId: user.id, workspaceId: workspace.id };
    },
    { maxWait: 10_000, timeout: 10_000 },
  );
}

function assertToken(given: string | undefined, expected: string | undefined): void {
  if (!expected) return;
  // Hashed first, so that both have one length and comparing them takes one time.
  const digest = (value: string) => createHash("sha256").update(value).digest();
  if (!timingSafeEqual(digest(given ?? ""), digest(expected))) {
    throw new AppError("NOT_ALLOWED", "That is not the setup token. The server printed it when it started.");
  }
}

type ChangePassword = { userId: string; currentPassword: string; newPassword: string };

/**
 * Sets a new password and ends every session of the person, the caller's too: whoever changed it signs in again with it.
 * Throws INVALID for a wrong present password, TOO_MANY_REQUESTS after too many.
 */
export async function changePassword({ userId, currentPassword, newPassword }: ChangePassword): Promise<void> {
  await countPasswordChange(userId);
  const person = await db().user.findUnique({ where: { id: userId }, select: { passwordHash: true } });
  if (!(await verifyPassword(currentPassword, person?.passwordHash ?? null)) || !person) {
    throw new AppError("INVALID", "That is not your present password.");
  }
  const passwordHash = await hashPassword(newPassword);
  // Sessions tell the second they began in: the one begun right after this must count.
  const sessionsFrom = new Date(Math.floor(Date.now() / 1000) * 1000);
  const { count } = await db().user.updateMany({
    where: { id: userId, passwordHash: person.passwordHash },
    data: { passwordHash, sessionsFrom },
  });
  if (count === 0) throw new AppError("CONFLICT", "Your password was changed meanwhile. Sign in with the new one.");
}

export async function updateProfile({ userId, name }: { userId: string; name: string }): Promise<void> {
  await db().user.update({ where: { id: userId }, data: { name } });
}
