/**
 * The address a request came from, for rate limits. The web server stamps it on each request (server/launcher/forwarded.mjs),
 * in place of what the caller claimed; `next dev`, which only this machine should reach, keeps what callers send.
 */
export function clientAddress(headers: Headers): string {
  const hops = headers.get("x-forwarded-for")?.split(",") ?? [];
  return hops.at(-1)?.trim() || "unknown";
}
