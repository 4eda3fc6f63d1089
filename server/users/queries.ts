import { db } from "@/server/db";

/** Whom a session is of, and since when sessions count; null when the person is gone. */
export async function findSessionUser(
  id: string,
): Promise<{ id: string; name: string; email: string; sessionsFrom: Date | null } | null> {
  return db().user.findUnique({ where: { id }, select: { id: true, name: true, email: true, sessionsFrom: true } });
}

/** What a sign-in needs. `email` must be normalised (server/users/schema.ts). */
export async function findCredentials(email: string): Promise<{ id: string; passwordHash: string } | null> {
  return db().user.findUnique({ where: { email }, select: { id: true, passwordHash: true } });
}

/** True until the first owner exists. */
export async function isSetupNeeded(): Promise<boolean> {
  return (await db().user.findFirst({ select: { id: true } })) === null;
}
