import { clientAddress } from "@/server/auth/client-address";
import { getSessionUser, type SessionUser } from "@/server/auth/session";

/** What every procedure starts from: who asks, and from where. Rights are read later, by `inWorkspace`. */
export type Context = {
  user: SessionUser | null;
  /** Network address of the caller, for rate limits only. */
  address: string;
};

/** For tests and server-side callers that have proven the user by other means. */
export function createInnerContext({ user = null, address = "unknown" }: Partial<Context> = {}): Context {
  return { user, address };
}

/** For HTTP and server components: the user comes from the session cookie. */
export async function createContext({ headers, url }: { headers: Headers; url?: string }): Promise<Context> {
  return createInnerContext({ user: await getSessionUser({ headers, url }), address: clientAddress(headers) });
}
