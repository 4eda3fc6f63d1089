// @ts-check

/** @param {string} host */
export const isLoopback = (host) => host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);

/**
 * Whether a request's Host is a name of this installation. A page elsewhere can have its own name point to this machine
 * and then call us as if it were ours (DNS rebinding); the browser still sends that name.
 * `allowed` null: any name will do. This machine's own names always do.
 * @param {string | undefined} host
 * @param {readonly string[] | null} allowed
 */
export function isAllowedHost(host, allowed) {
  if (allowed === null) return true;
  const name = hostnameOf(host);
  if (name === null) return false;
  return isLoopback(name) || name.endsWith(".localhost") || allowed.includes(name);
}

/** @param {string | undefined} host */
function hostnameOf(host) {
  const url = `http://${host ?? ""}`;
  if (!host || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(url)) return null;
  return new URL(url).hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}
