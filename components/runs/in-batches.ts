import { refusalCodeOf } from "@/components/trpc/refusals";
import type { RunRefusal, RunsChanged } from "@/server/runs/list-schema";

export type BatchProgress = { done: number; refused: readonly RunRefusal[]; seen: number; of: number };

/**
 * Does something to many runs, a batch a call, and tells after each how far it is. Runs that somebody else removed meanwhile are
 * told among the refused. Throws what else went wrong; what was done by then was told.
 */
export async function inBatches(
  runIds: readonly string[],
  {
    size,
    act,
    onProgress,
  }: {
    size: number;
    act: (runIds: string[]) => Promise<RunsChanged>;
    onProgress: (progress: BatchProgress) => void;
  },
): Promise<BatchProgress> {
  let progress: BatchProgress = { done: 0, refused: [], seen: 0, of: runIds.length };
  onProgress(progress);
  for (let from = 0; from < runIds.length; from += size) {
    const batch = runIds.slice(from, from + size);
    const { done, refused } = await act(batch).catch((error: unknown) => {
      if (refusalCodeOf(error) !== "NOT_FOUND") throw error;
      return { done: 0, refused: batch.map((runId) => ({ runId, title: null, why: "Somebody removed it already." })) };
    });
    progress = {
      ...{ done: progress.done + done, refused: [...progress.refused, ...refused] },
      ...{ seen: progress.seen + batch.length, of: runIds.length },
    };
    onProgress(progress);
  }
  return progress;
}
