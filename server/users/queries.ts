import { db } from "@/server/db";

/** Public facts of a person; null when there is none with that id (any more). */
export async function findUser(id: string): Promise<{ id: string; name: string; email: string } | null> {
  return db().user.findUnique({ where: { id }, select: { id: true, name: true, email: true } });
}

/** What a sign-in needs. `email` must be normalised (server/users/schema.ts). */
export async function findCredentials(email: string): Promise<{ id: string; passwordHash: string } | null> {
  return db().user.findUnique({ where: { email }, select: { id: true, passwordHash: true } });
}

/** True until the first owner exists. */
export async function isSetupNeeded(): Promise<boolean> {
  return (await db().user.findFirst({ select: { id: true } })) === null;
}
