// @ts-check

/** @typedef {import("node:http").ServerResponse} Response */

/** As long as a tab goes without hearing anything before it opens a new stream by itself, in milliseconds. */
export const STALLED_MS = 30_000;
const LOOKS = 4;

/** @param {Response} response */
export const isEventStream = (response) =>
  response.headersSent && String(response.getHeader("content-type")).startsWith("text/event-stream");

/**
 * Hangs up on whoever reads an event stream and has not taken for so long what waits for it (F25). Nothing is lost: who comes back says what it
 * has seen. A stream is written only as fast as it is read, so until then it holds little; but for ever it must not.
 * Returns what ends the looking.
 * @param {ReadonlySet<Response>} open
 * @param {number} stalledMs
 * @returns {() => void}
 */
export function dropStalledReaders(open, stalledMs) {
  /** @type {WeakMap<Response, number>} */
  const waitingSince = new WeakMap();
  const look = () => {
    const now = performance.now();
    for (const response of open) {
      if (!isEventStream(response) || !response.writableNeedDrain) continue;
      const since = waitingSince.get(response);
      if (since === undefined) {
        waitingSince.set(response, now);
        // Taken: what waits at a later look is something else.
        response.once("drain", () => waitingSince.delete(response));
      } else if (now - since >= stalledMs) response.destroy();
    }
  };
  const looking = setInterval(look, stalledMs / LOOKS);
  looking.unref();
  return () => clearInterval(looking);
}
