import { decode } from "@auth/core/jwt";
import { z } from "zod";
import { findUser } from "@/server/users/queries";
import { authSecret } from "./secret";
import { isHttps, readCookie, sessionCookieName } from "./session-cookie";

export type SessionUser = { id: string; name: string; email: string };

/**
 * Who a request is from, or null. The cookie carries an id only; the person is read again each time, so somebody who
 * was removed is signed out at once. Cookies are the only way in: an Authorization header is ignored here.
 * Takes a Request, or the headers of one (`next/headers` in server components).
 */
export async function getSessionUser(from: Headers | { headers: Headers; url?: string }): Promise<SessionUser | null> {
  const { headers, url } = from instanceof Headers ? { headers: from, url: undefined } : from;
  const name = sessionCookieName(isHttps(headers, url));
  const token = readCookie(headers, name);
  if (!token) return null;
  const userId = await readUserId(token, name);
  return userId ? findUser(userId) : null;
}

async function readUserId(token: string, salt: string): Promise<string | null> {
  const secret = authSecret();
  try {
    const claims = await decode({ token, secret, salt });
    return z.uuid().parse(claims?.sub);
  } catch {
    // Expired, forged, or signed with a secret that has been replaced: the same as no session.
    return null;
  }
}
