import { logger } from "@/server/logger";
import { lookNowAndThen } from "@/server/look-now-and-then";
import { ModelError } from "@/server/models/model";
import { prepareOf } from "@/server/retrieval/prepare-vectors";
import { asSentence, countSent } from "@/server/retrieval/search-vector";
import { COMPARABLES } from "../constants";
import { retryInMs } from "../rules";
import {
  claimFinding,
  type FindingJob,
  listDue,
  markDone,
  markMade,
  markSwept,
  putOff,
  releaseFinding,
  tellProgress,
} from "./finding-rows";

/** As for the built-in vectors: nobody is told of a new row. */
const LOOK_EVERY_MS = 5_000;
/** Workspaces served at once: a slow provider holds up nobody else's. */
const AT_ONCE = 4;
/** Each open page counts how far it is. */
const TELL_EVERY_MS = 3_000;
const LONG_AGO = new Date(0);

export type FindingOptions = {
  /** Must be the id under which this process's heartbeat is kept: others take over what belongs to nobody alive. */
  workerId: string;
  lookEveryMs?: number;
};

/**
 * Makes the vectors of workspaces that chose by which model runs and decisions are found, in the background until it is closed. One worker a
 * workspace, as each text costs money. What was made and not yet stored when a worker was killed is made again.
 */
export function startPreparingFinding({ workerId, lookEveryMs = LOOK_EVERY_MS }: FindingOptions): {
  close(): Promise<void>;
} {
  const busy = new Map<string, Promise<void>>();
  const failed = "what finds runs could not be looked for; it is tried again";
  const looks = lookNowAndThen({ everyMs: lookEveryMs, failed }, async (signal) => {
    for (const job of await listDue(workerId)) {
      if (signal.aborted || busy.size >= AT_ONCE) return;
      if (busy.has(job.workspaceId) || !(await isAnythingToDo(job))) continue;
      busy.set(
        job.workspaceId,
        serve(job, signal).finally(() => busy.delete(job.workspaceId)),
      );
    }
  });
  return {
    async close() {
      await looks.close();
      await Promise.all(busy.values());
      await releaseFinding(workerId).catch(() => {});
    },
  };
}

/** Never throws: whatever happens is said on the setting. */
async function serve(due: FindingJob, signal: AbortSignal): Promise<void> {
  try {
    const job = await claimFinding(due);
    if (!job) return;
    await prepare(job, signal).catch((error: unknown) => fail(job, error, signal));
  } catch (error) {
    if (!signal.aborted)
      logger.warn(
        { err: error, workspaceId: due.workspaceId },
        "runs could not be prepared for finding; it is tried again",
      );
  }
}

/** Before anything is claimed: most looks find nothing. */
async function isAnythingToDo(job: FindingJob): Promise<boolean> {
  for (const rows of COMPARABLES) {
    const found = await rows.findUnprepared(job.workspaceId, job, { since: sinceOf(job, rows.recentMs), until: null });
    if (found.length > 0) return true;
  }
  if (job.isSweep) await markSwept(job);
  return false;
}

const sinceOf = ({ isSweep }: FindingJob, recentMs: number) => (isSweep ? LONG_AGO : new Date(Date.now() - recentMs));

async function prepare(job: FindingJob, signal: AbortSignal): Promise<void> {
  let tellAt = 0;
  for (const rows of COMPARABLES) {
    const since = sinceOf(job, rows.recentMs);
    const isThrough = await prepareOf(rows, job.workspaceId, since, signal, async ({ texts, refusal }) => {
      await countSent(job.workspaceId, job, texts);
      if (Date.now() >= tellAt) {
        tellAt = Date.now() + TELL_EVERY_MS;
        await tellProgress(job);
      }
      return markMade(job, refusal);
    });
    if (!isThrough) return;
  }
  await markDone(job);
  await tellProgress(job);
}

async function fail(job: FindingJob, error: unknown, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { workspaceId, failures } = job;
  logger.warn({ err: error, workspaceId }, "runs could not be prepared for finding; it is tried again");
  const isModels = error instanceof ModelError;
  const problem = isModels ? asSentence(error.message) : "Something went wrong on the server. Its log says what.";
  const failure = { isRefused: isModels && !error.retryable, retryAfterMs: isModels ? error.retryAfterMs : undefined };
  await putOff(job, problem, retryInMs({ ...failure, before: failures }));
}
