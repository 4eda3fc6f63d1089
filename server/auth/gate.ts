import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { isSetupNeeded } from "@/server/users/queries";
import { safeNext } from "./rules";
import { getSessionUser, type SessionUser } from "./session";

/**
 * For layouts and pages that need somebody: the person, or a redirect to /setup (nobody exists yet) or /sign-in.
 * It spares people an empty screen; what they may see is decided by each procedure.
 */
export async function requireSignedIn(next?: string): Promise<SessionUser> {
  const user = await getSessionUser({ headers: await headers() });
  if (user) return user;
  if (await isSetupNeeded()) redirect("/setup");
  redirect(next ? `/sign-in?next=${encodeURIComponent(safeNext(next))}` : "/sign-in");
}

/** For the sign-in and setup pages: somebody who is signed in has no business there. */
export async function leaveWhenSignedIn(next: string): Promise<void> {
  if (await getSessionUser({ headers: await headers() })) redirect(next);
}
