"use client";

import { useEffect, useRef, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { Frame } from "@/server/runs/queries/inside/schema";

/** Events played back at most: folding more at each tick would be felt. */
export const MOST_FRAMES = 20_000;
/** A run that goes on is asked for what is new after a pause. */
const REREAD_AFTER_MS = 1_500;

/** The events of a run that move its graph, page after page, and what is new while it goes on. `lastSeq`: how far the page knows the run. */
export function useFrames(runId: string, lastSeq: number) {
  const client = useTRPCClient();
  const [frames, setFrames] = useState<readonly Frame[]>([]);
  const [error, setError] = useState<string | null>(null);
  const [isComplete, setComplete] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const read = useRef({ seq: 0, count: 0 });
  const known = useRef(lastSeq);
  useEffect(() => {
    known.current = lastSeq;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: begun anew when somebody tries again
  useEffect(() => {
    const stop = new AbortController();
    let readAt = -1;
    let isReading = false;
    const readNew = async () => {
      const upTo = known.current;
      for (let more = true; more && read.current.count < MOST_FRAMES; ) {
        const place = { runId, afterSeq: read.current.seq };
        const page = await client.runInside.frames.query(place, { signal: stop.signal });
        if (stop.signal.aborted) return;
        more = page.more;
        read.current = { seq: page.items.at(-1)?.seq ?? place.afterSeq, count: read.current.count + page.items.length };
        if (page.items.length > 0) setFrames((before) => [...before, ...page.items]);
      }
      readAt = upTo;
      setError(null);
      setComplete(true);
    };
    const look = () => {
      if (isReading || readAt === known.current) return;
      isReading = true;
      readNew()
        .catch((problem: unknown) => !stop.signal.aborted && setError(errorWords(problem).sentence))
        .finally(() => {
          isReading = false;
        });
    };
    look();
    const timer = setInterval(look, REREAD_AFTER_MS);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [client, runId, attempt]);

  return { frames, error, isComplete, retry: () => setAttempt((before) => before + 1) };
}
