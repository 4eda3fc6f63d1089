"use client";

import { useState } from "react";
import { errorWords } from "@/components/ui/error-words";
import type { RunsChanged } from "@/server/runs/list-schema";
import { type BatchProgress, inBatches } from "./in-batches";
import { useRunsChanged } from "./use-runs-changed";

type Batches = { size: number; act: (runIds: string[]) => Promise<RunsChanged> };

/** Does something to many runs and tells how far it is; what was refused, or broke it off, stays to be read. */
export function useBatches() {
  const changed = useRunsChanged();
  const [progress, setProgress] = useState<BatchProgress | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  return {
    progress,
    failure,
    isBusy,
    /** Resolves to whether all of it was done. */
    run: async (runIds: readonly string[], batches: Batches): Promise<boolean> => {
      setFailure(null);
      setIsBusy(true);
      try {
        const { refused } = await inBatches(runIds, { ...batches, onProgress: setProgress });
        return refused.length === 0;
      } catch (error) {
        setFailure(errorWords(error).sentence);
        return false;
      } finally {
        setIsBusy(false);
        await changed();
      }
    },
  };
}
