import { setTimeout as sleep } from "node:timers/promises";
import { pool } from "@/server/db";
import { type Looks, lookNowAndThen } from "@/server/look-now-and-then";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { BUILT_IN_MODEL } from "./built-in-embedder";
import { type MadeVector, makeVectors } from "./comparable-vectors";
import { type ComparedBy, comparedBy } from "./compared-by";
import { finderFor } from "./embedders";
import { textsOf, type WeightedPart } from "./vector-of-parts";

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
  /** Workspaces that never chose a model, with a row since an instant that has no vector of today's way; proven by their own rows. */
  findWorkspaces: (since: Date) => Promise<WorkspaceId[]>;
  /** The newest rows from `since` to `until` without a vector of that model, a batch at most; the next look goes on at rows not newer than the last one's `at`. */
  findUnprepared: (
    workspaceId: WorkspaceId,
    by: ComparedBy,
    between: { since: Date; until: Date | null },
  ) => Promise<{ id: string; at: Date }[]>;
  /** What rows are compared by, as it is stored: personal data was taken out before. What is deleted meanwhile is left out. */
  readParts: (workspaceId: WorkspaceId, ids: readonly string[]) => Promise<Map<string, WeightedPart[]>>;
  /** Whoever stores the same at the same time changes nothing; nor does one of a model that is no longer chosen. */
  storeVectors: (workspaceId: WorkspaceId, by: ComparedBy, made: readonly MadeVector[]) => Promise<void>;
};

/** A batch of vectors as it was made, before it is stored. False: it is not to be, and nothing after it made. */
export type BatchMade = { texts: readonly string[]; refusal: string | null };

/** Makes the vectors of workspaces that never chose a model, in the background until it is closed. Those of others: server/finding/jobs. */
export function startPreparing(rows: Comparable): Pick<Looks, "close"> {
  let sweepAt = 0;
  const failed = `${rows.noun} could not be prepared for comparison; it is tried again`;
  return lookNowAndThen({ everyMs: LOOK_EVERY_MS, failed }, async (signal) => {
    const isSweep = Date.now() >= sweepAt;
    const since = isSweep ? LONG_AGO : new Date(Date.now() - rows.recentMs);
    for (const workspaceId of await rows.findWorkspaces(since)) await prepareOf(rows, workspaceId, since, signal);
    // Only once it came through all of them.
    if (isSweep) sweepAt = Date.now() + SWEEP_EVERY_MS;
  });
}

/**
 * Makes the vectors that are missing since an instant, the newest first, until all are made or the workspace chooses another model:
 * then it is false. Told of once, at the end. Throws when it is closed, and ModelError when the model does not answer.
 */
export async function prepareOf(
  rows: Comparable,
  workspaceId: WorkspaceId,
  since: Date,
  signal: AbortSignal,
  onMade?: (batch: BatchMade) => Promise<boolean>,
): Promise<boolean> {
  const by = await comparedBy(workspaceId);
  let until: Date | null = null;
  let isChosen = true;
  while (isChosen) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const found = await rows.findUnprepared(workspaceId, by, { since, until });
    const last = found.at(-1);
    if (!last) break;
    const parts = await rows.readParts(
      workspaceId,
      found.map(({ id }) => id),
    );
    // Asked for each time: a new key of its provider counts within seconds.
    const { made, refusal } = await makeVectors(await finderFor(workspaceId, by), parts, signal);
    if (onMade && !(await onMade({ texts: textsOf([...parts.values()]), refusal }))) return false;
    await rows.storeVectors(workspaceId, by, made);
    until = last.at;
    const now = await comparedBy(workspaceId);
    isChosen = now.model === by.model && now.dims === by.dims;
    // Half of the time at most: runs are carried out in this process. A provider is waited for, which leaves them time enough.
    if (by.model === BUILT_IN_MODEL) await sleep(performance.now() - startedAt);
  }
  if (until !== null) await pool().query("SELECT tell_changed($1, $2, NULL)", [workspaceId, rows.noun]);
  return isChosen;
}
