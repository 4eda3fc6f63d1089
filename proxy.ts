import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { contentSecurityPolicy } from "@/server/auth/content-security-policy";
import { env } from "@/server/env";

/**
 * Gives each page a nonce of its own, under which its scripts and styles may run and nothing else. Next finds it in the
 * policy of the request, the layout in x-nonce. Headers that are the same for every answer are in next.config.mjs.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = randomBytes(18).toString("base64url");
  const policy = contentSecurityPolicy(nonce, { dev: env().NODE_ENV === "development" });
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

// Pages only. Uploads in particular must not come by here: Next keeps a copy of each body that does.
export const config = { matcher: ["/((?!api/|healthz/|_next/|icon\\.svg).*)"] };
