import type { WorkHub } from "@/server/engine/hub";
import { logger } from "@/server/logger";
import { lookNowAndThen } from "@/server/look-now-and-then";
import { type CleanupJob, carryOutCleanup } from "./carry-out-cleanup";
import { claimCleanup, putOffCleanup, queueDailyCleanups, releaseCleanups } from "./cleanup-rows";
import { claimMeasurement, finishMeasurement, readMeasuredBytes, releaseMeasurements } from "./measure-rows";
import { measureWorkspace } from "./measure-workspace";
import { finishRemovals } from "./remove-run";

/** Nothing here is urgent but what somebody asked for, and that is told. */
const LOOK_EVERY_MS = 15_000;

export type UpkeepOptions = {
  /** Must be the id under which this process's heartbeat is kept: others take over what belongs to nobody alive. */
  workerId: string;
  hub: Pick<WorkHub, "on">;
};

/** Measures workspaces and removes what they keep no longer, in the background, until it is closed. */
export function startUpkeep({ workerId, hub }: UpkeepOptions): { close(): Promise<void> } {
  const failed = "a workspace could not be measured or cleaned; it is tried again";
  const looks = lookNowAndThen({ everyMs: LOOK_EVERY_MS, failed }, (signal) => work(workerId, signal));
  hub.on("usage", looks.wake);
  return {
    async close() {
      await looks.close();
      await Promise.all([releaseCleanups(workerId), releaseMeasurements(workerId)]).catch(() => {});
    },
  };
}

/** Does what there is to do. */
async function work(workerId: string, signal: AbortSignal): Promise<void> {
  await finishRemovals(signal);
  await queueDailyCleanups();
  const failed: string[] = [];
  for (let job = await claimCleanup(workerId); job && !signal.aborted; job = await claimCleanup(workerId, failed)) {
    if (!(await cleanUp(job, signal))) failed.push(job.id);
  }
  for (let id = await claimMeasurement(workerId); id && !signal.aborted; id = await claimMeasurement(workerId)) {
    await measure(workerId, id, signal);
  }
}

/** False when it is left for later. */
async function cleanUp(job: CleanupJob, signal: AbortSignal): Promise<boolean> {
  try {
    return await carryOutCleanup(job, signal);
  } catch (error) {
    if (signal.aborted) return false;
    logger.warn({ err: error, cleanupId: job.id }, "a cleanup could not be carried out; it is tried again");
    await putOffCleanup(job, "Something went wrong on the server. Its log says what. It is tried again.");
    return false;
  }
}

async function measure(workerId: string, workspaceId: string, signal: AbortSignal): Promise<void> {
  const from = performance.now();
  let isIdle = false;
  try {
    const before = await readMeasuredBytes(workspaceId);
    isIdle = (await measureWorkspace(workspaceId, signal)) === before;
  } finally {
    // Also after a failure: others are measured first then.
    await finishMeasurement(workspaceId, { workerId, tookMs: performance.now() - from, isIdle });
  }
}
