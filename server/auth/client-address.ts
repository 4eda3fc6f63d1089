/**
 * The address a request came from, for rate limits. The last entry of X-Forwarded-For is the one written by the
 * server or proxy closest to us; entries before it are whatever the caller claims.
 */
export function clientAddress(headers: Headers): string {
  const hops = headers.get("x-forwarded-for")?.split(",") ?? [];
  return hops.at(-1)?.trim() || "unknown";
}
