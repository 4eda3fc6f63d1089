import { setTimeout as sleep } from "node:timers/promises";
import { pool } from "@/server/db";
import { logger } from "@/server/logger";
import type { WorkspaceId } from "@/server/workspaces/scope";

/** Nobody tells of a new row: that would cost every turn of every run something, and comparing can wait. */
const LOOK_EVERY_MS = 5_000;
/** All rows, once at the start and then now and then: forks keep old ones, and a worker may have been away. */
const SWEEP_EVERY_MS = 10 * 60_000;
const LONG_AGO = new Date(0);

/** So many are made without a pause: whoever else works in this process waits for a few milliseconds only. */
export const VECTORS_A_BATCH = 16;

/** Rows that get a vector each, and how. */
export type Comparable = {
  /** What open pages are told of, once some were made. */
  noun: "decisions" | "runs";
  /** What is newer than this is looked through each time. */
  recentMs: number;
  /** Workspaces with a row since an instant that has no vector of today's way; proven by their own rows. */
  findWorkspaces: (since: Date) => Promise<WorkspaceId[]>;
  /** The newest such rows from `since` to `until`, a batch at most; the next look goes on at rows not newer than the last one's `at`. */
  findUnprepared: (
    workspaceId: WorkspaceId,
    between: { since: Date; until: Date | null },
  ) => Promise<{ id: string; at: Date }[]>;
  /** Makes and stores the vectors. Whoever else does so at the same time comes to the same; what is deleted meanwhile is left out. */
  storeVectors: (workspaceId: WorkspaceId, ids: readonly string[], signal: AbortSignal) => Promise<void>;
};

/** Makes vectors in the background until it is closed. */
export function startPreparing(rows: Comparable): { close(): Promise<void> } {
  const closing = new AbortController();
  let looking: Promise<void> | undefined;
  let sweepAt = 0;
  const look = () => {
    looking ??= prepareAll(rows, Date.now() >= sweepAt, closing.signal)
      .then((isSwept) => {
        if (isSwept) sweepAt = Date.now() + SWEEP_EVERY_MS;
      })
      .finally(() => {
        looking = undefined;
      });
  };
  const looks = setInterval(look, LOOK_EVERY_MS);
  look();
  return {
    async close() {
      closing.abort();
      clearInterval(looks);
      await looking;
    },
  };
}

/** Never throws. True when it came through all rows, not only the recent ones. */
async function prepareAll(rows: Comparable, isSweep: boolean, signal: AbortSignal): Promise<boolean> {
  const since = isSweep ? LONG_AGO : new Date(Date.now() - rows.recentMs);
  try {
    for (const workspaceId of await rows.findWorkspaces(since)) await prepareOf(rows, workspaceId, since, signal);
    return isSweep && !signal.aborted;
  } catch (error) {
    if (!signal.aborted)
      logger.warn({ err: error }, `${rows.noun} could not be prepared for comparison; it is tried again`);
    return false;
  }
}

/** Makes the vectors that are missing since an instant, the newest first. Told of once, at the end. Throws when it is closed. */
export async function prepareOf(
  rows: Comparable,
  workspaceId: WorkspaceId,
  since: Date,
  signal: AbortSignal,
): Promise<void> {
  let until: Date | null = null;
  for (;;) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const found = await rows.findUnprepared(workspaceId, { since, until });
    const last = found.at(-1);
    if (!last) break;
    await rows.storeVectors(
      workspaceId,
      found.map(({ id }) => id),
      signal,
    );
    until = last.at;
    // Half of the time at most: runs are carried out in this process.
    await sleep(performance.now() - startedAt);
  }
  if (until !== null) await pool().query("SELECT tell_changed($1, $2, NULL)", [workspaceId, rows.noun]);
}
