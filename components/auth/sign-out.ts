import { postSignOut } from "./auth-request";

/**
 * Ends the session and opens the sign-in page by a full load, so that nothing one person read stays in memory for
 * the next. Throws with a sentence for the reader when the server refused.
 */
export async function signOut(): Promise<void> {
  const outcome = await postSignOut();
  if (!outcome.done) throw new Error(outcome.error.userMessage);
  window.location.assign("/sign-in");
}
