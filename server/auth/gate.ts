import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { isSetupNeeded } from "@/server/users/queries";
import { safeNext } from "./rules";
import { getSessionUser, type SessionUser } from "./session";

/** For a layout, which answers somebody unknown with <RedirectToSignIn />: only that knows the page's address. */
export async function findSignedIn(): Promise<SessionUser | null> {
  return getSessionUser({ headers: await headers() });
}

/**
 * For pages that need somebody: the person, or a redirect to /setup (nobody exists yet) or /sign-in, which leads back
 * to `next`. It spares people an empty screen; what they may see is decided by each procedure.
 */
export async function requireSignedIn(next?: string): Promise<SessionUser> {
  const user = await findSignedIn();
  if (user) return user;
  if (await isSetupNeeded()) redirect("/setup");
  const back = safeNext(next);
  redirect(back === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(back)}`);
}

/** For the sign-in page: somebody who is signed in has no business there. */
export async function leaveWhenSignedIn(next: string): Promise<void> {
  if (await findSignedIn()) redirect(next);
}
