import { setImmediate as whenOthersRan } from "node:timers/promises";

/** Long work, cut into parts: after each it says so by a `yield`. A part takes a few milliseconds at most. */
export type Parts<T> = Generator<void, T, void>;

/** How long the event loop is held before whoever else waits for it has a turn. */
const TURN_MS = 10;

/** Does all parts, and lets others have the event loop in between: requests, live streams and heartbeats come late by a turn and no more. */
export async function inParts<T>(work: Parts<T>): Promise<T> {
  let until = performance.now() + TURN_MS;
  for (;;) {
    const part = work.next();
    if (part.done) return part.value;
    if (performance.now() < until) continue;
    await whenOthersRan();
    until = performance.now() + TURN_MS;
  }
}

/** The same in one go, for work that is known to be small. */
export function atOnce<T>(work: Parts<T>): T {
  for (;;) {
    const part = work.next();
    if (part.done) return part.value;
  }
}

/** Of many rows, so many that handling them takes about a part. */
const ROWS_A_PART = 200;

/** Rows one by one, each of which takes little. */
export function* eachInParts<Row>(rows: Iterable<Row>, handle: (row: Row) => void): Parts<void> {
  let handled = 0;
  for (const row of rows) {
    handle(row);
    handled += 1;
    if (handled % ROWS_A_PART === 0) yield;
  }
}
