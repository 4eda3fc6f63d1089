// @ts-check
import { createServer } from "node:http";
import { isAllowedHost } from "./allowed-hosts.mjs";
import { stampOrigin } from "./forwarded.mjs";
import { dropStalledReaders, isEventStream, STALLED_MS } from "./stalled-readers.mjs";

/**
 * @typedef {import("node:http").IncomingMessage} Request
 * @typedef {import("node:http").ServerResponse} Response
 */

/** Longer than proxies keep a connection they do not use, so that none is closed under a request on its way. */
const KEEP_ALIVE_MS = 75_000;
const UPLOAD_MS = 60 * 60_000;
/** What a body may take that is neither a file nor a backup: forms and calls are small (A49). */
const BODY_MS = 60_000;
const LARGE_BODIES = ["/api/upload", "/api/backups", "/api/runs/import"];
const LOOK_EVERY_MS = 50;

/**
 * The HTTP server in front of Next: what must hold for every request, and an orderly end.
 * `proxies`: how many proxies of one's own are in front; 0 believes no forwarded header.
 * `hosts`: names to answer to; null for any. `bodyMs`: how long a body may take to come, but for files and backups.
 * `stalledMs`: how long the reader of an event stream may take nothing.
 * @param {{
 *   handle: (request: Request, response: Response) => Promise<void>,
 *   proxies: number, hosts: readonly string[] | null, bodyMs?: number, stalledMs?: number,
 * }} options
 */
export function createWebFront({ handle, proxies, hosts, bodyMs = BODY_MS, stalledMs = STALLED_MS }) {
  /** @type {Set<Response>} */
  const open = new Set();
  let draining = false;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    // Ended by drain() while a stream is still being written: not worth ending the process for.
    response.on("error", () => {});
    response.once("close", () => open.delete(response));
    open.add(response);
    if (draining) response.setHeader("connection", "close");
    if (!isAllowedHost(request.headers.host, hosts)) return refuseHost(response);
    stampOrigin(request, proxies);
    if (!LARGE_BODIES.some((path) => request.url?.startsWith(path))) limitBody(request, response, bodyMs);
    handle(request, response).catch((error) => {
      // Whoever hung up while sending is no failure of ours.
      if (!request.destroyed) console.error(error);
      if (!response.headersSent) response.statusCode = 500;
      response.end();
    });
  });
  const stopLooking = dropStalledReaders(open, stalledMs);
  server.on("close", stopLooking);
  server.headersTimeout = KEEP_ALIVE_MS + 5_000;
  // A backup may be large and the line slow.
  server.requestTimeout = UPLOAD_MS;

  /**
   * Takes no further requests, ends the streams that would never end by themselves (their readers come back, to whoever
   * serves then) and lets the others finish. Resolves when all are done or after `graceMs`.
   * @param {number} graceMs
   */
  async function drain(graceMs) {
    draining = true;
    const closed = new Promise((resolve) => server.close(resolve));
    const endStreams = () => {
      for (const response of open) {
        const { socket } = response;
        // Its connection promised to stay open; nobody should send another request on it.
        if (isEventStream(response)) response.end(() => socket?.end());
        else if (!response.headersSent) response.setHeader("connection", "close");
      }
      server.closeIdleConnections();
    };
    endStreams();
    // A stream that was just being opened, and connections whose last request has ended since.
    const looking = setInterval(endStreams, LOOK_EVERY_MS);
    const late = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearInterval(looking);
    clearTimeout(late);
  }

  return { server, drain };
}

/**
 * Answers 408 and hangs up where a body is not there in time: nobody may hold a connection by sending byte after byte.
 * @param {Request} request
 * @param {Response} response
 * @param {number} bodyMs
 */
function limitBody(request, response, bodyMs) {
  const late = setTimeout(() => {
    if (request.complete) return;
    if (!response.headersSent) response.writeHead(408, { connection: "close", "cache-control": "no-store" });
    response.end(() => request.destroy());
  }, bodyMs);
  late.unref();
  for (const over of ["end", "close"]) request.once(over, () => clearTimeout(late));
}

/** @param {Response} response */
function refuseHost(response) {
  response.writeHead(403, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  response.end(
    "Troupe does not answer to this address. Open it under its own name, or add this one to ALLOWED_HOSTS and start it again.\n",
  );
}
