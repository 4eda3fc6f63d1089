/** Thirty days; after that a person signs in again. */
export const SESSION_MAX_AGE_S = 30 * 24 * 60 * 60;

/** Whether the browser reached us by https: stamped on each request by the web server, which knows what proxies to believe. */
export function isHttps(headers: Headers, url?: string): boolean {
  const forwarded = headers.get("x-forwarded-proto")?.split(",")[0]?.trim();
  if (forwarded) return forwarded === "https";
  return url?.startsWith("https:") ?? false;
}

/** The prefix makes browsers refuse the cookie when it was set over plain http. */
export function sessionCookieName(https: boolean): string {
  return https ? "__Secure-troupe.session" : "troupe.session";
}

export function readCookie(headers: Headers, name: string): string | null {
  for (const pair of headers.get("cookie")?.split(";") ?? []) {
    const [key, ...rest] = pair.trim().split("=");
    if (key === name) return rest.join("=");
  }
  return null;
}
