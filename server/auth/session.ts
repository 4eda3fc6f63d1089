import { decode } from "@auth/core/jwt";
import { z } from "zod";
import { findSessionUser } from "@/server/users/queries";
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
  const claims = await readClaims(token, name);
  const person = claims ? await findSessionUser(claims.userId) : null;
  if (!claims || !person) return null;
  const { sessionsFrom, ...user } = person;
  // A changed password ends the sessions begun under the old one.
  if (sessionsFrom && claims.issuedAtS * 1000 < sessionsFrom.getTime()) return null;
  return user;
}

const claimsOfToken = z.object({ sub: z.uuid(), iat: z.number() });

async function readClaims(token: string, salt: string): Promise<{ userId: string; issuedAtS: number } | null> {
  const secret = authSecret();
  try {
    const { sub, iat } = claimsOfToken.parse(await decode({ token, secret, salt }));
    return { userId: sub, issuedAtS: iat };
  } catch {
    // Expired, forged, or signed with a secret that has been replaced: the same as no session.
    return null;
  }
}
