import { setTimeout as sleep } from "node:timers/promises";
import { pool } from "@/server/db";
import { logger } from "@/server/logger";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { readByIndex } from "../queries/read-by-index";
import { findUnprepared, storeVectors, VECTOR_VERSION } from "./decision-vectors";

/** Nobody tells of a new decision: that would cost every turn of every run something, and precedents can wait. */
const LOOK_EVERY_MS = 5_000;
/** What is newer than this is looked through each time. */
const RECENT_MS = 15 * 60_000;
/** All decisions, once at the start and then now and then: forks keep old ones, and a worker may have been away. */
const SWEEP_EVERY_MS = 10 * 60_000;
const LONG_AGO = new Date(0);

/** Makes the vectors of decisions in the background until it is closed, so that precedents are found (INT-CTX-09). */
export function startPreparingPrecedents(): { close(): Promise<void> } {
  const closing = new AbortController();
  let looking: Promise<void> | undefined;
  let sweepAt = 0;
  const look = () => {
    looking ??= prepareAll(Date.now() >= sweepAt, closing.signal)
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

/** Never throws. True when it came through all decisions, not only the recent ones. */
async function prepareAll(isSweep: boolean, signal: AbortSignal): Promise<boolean> {
  const since = isSweep ? LONG_AGO : new Date(Date.now() - RECENT_MS);
  try {
    for (const workspaceId of await findUnpreparedWorkspaces(since)) await prepareWorkspace(workspaceId, since, signal);
    return isSweep && !signal.aborted;
  } catch (error) {
    if (!signal.aborted)
      logger.warn({ err: error }, "decisions could not be prepared for comparison; it is tried again");
    return false;
  }
}

/** Makes the vectors that are missing since an instant, the newest first. Told of once, at the end. Throws when it is closed. */
export async function prepareWorkspace(workspaceId: WorkspaceId, since: Date, signal: AbortSignal): Promise<void> {
  let until: Date | null = null;
  for (;;) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const found = await findUnprepared(workspaceId, { since, until });
    const last = found.at(-1);
    if (!last) break;
    await storeVectors(
      workspaceId,
      found.map(({ id }) => id),
      signal,
    );
    until = last.at;
    // Half of the time at most: runs are carried out in this process.
    await sleep(performance.now() - startedAt);
  }
  if (until !== null) await pool().query("SELECT tell_changed($1, 'decisions', NULL)", [workspaceId]);
}

/** Workspaces with a decision that is not prepared; proven by their own rows. */
async function findUnpreparedWorkspaces(since: Date): Promise<WorkspaceId[]> {
  const rows = await readByIndex<{ id: WorkspaceId }>(
    `SELECT w.id FROM workspaces w CROSS JOIN LATERAL (
       SELECT 1 FROM decisions d WHERE d.workspace_id = w.id AND d.at >= $1
         AND NOT EXISTS (SELECT 1 FROM decision_vectors v WHERE v.decision_id = d.id AND v.version >= $2) LIMIT 1) d`,
    [since, VECTOR_VERSION],
  );
  return rows.map(({ id }) => id);
}
