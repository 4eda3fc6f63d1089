// @ts-check

/**
 * How a request reached us, as far as it can be believed: the caller's address (of the last proxy nobody vouches for, when
 * there is one), and whether it came by https.
 * @typedef {{ address: string, https: boolean }} Origin
 * @typedef {Pick<import("node:http").IncomingMessage, "headers" | "socket">} Received
 */

/**
 * Reads where a request came from. `proxies` is how many proxies of one's own stand in front: each appends the address it
 * was called from, so the entry that many places from the end is the newest one a stranger could not write. With 0 the
 * headers are ignored, because whoever calls may send what they like.
 * @param {Received} request
 * @param {number} proxies
 * @returns {Origin}
 */
export function originOf(request, proxies) {
  const socketAddress = plain(request.socket.remoteAddress ?? "");
  if (proxies === 0) return { address: socketAddress, https: false };
  const hop = (/** @type {string} */ name) => {
    const hops = listed(request.headers[name]);
    return hops[Math.max(0, hops.length - proxies)];
  };
  return { address: plain(hop("x-forwarded-for") ?? socketAddress), https: hop("x-forwarded-proto") === "https" };
}

/**
 * Says the same in the headers the rest of the product reads, and takes away what a caller claimed there.
 * @param {Received} request
 * @param {number} proxies
 */
export function stampOrigin(request, proxies) {
  const { address, https } = originOf(request, proxies);
  const { headers } = request;
  for (const name of Object.keys(headers)) {
    if (name === "forwarded" || name === "x-real-ip" || name.startsWith("x-forwarded-")) delete headers[name];
  }
  headers["x-forwarded-for"] = address;
  headers["x-forwarded-proto"] = https ? "https" : "http";
  // A proxy has to pass the Host on: one source for what the browser asked for.
  headers["x-forwarded-host"] = headers.host ?? "";
}

/** @param {string | string[] | undefined} value */
function listed(value) {
  return [value ?? []]
    .flat()
    .join(",")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
}

/**
 * An IPv4 address on a dual-stack socket is the same address.
 * @param {string} address
 */
const plain = (address) => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
