"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { isTerminal, type RunStatus } from "@/server/engine/state";

const REREAD_MS = 3_000;

/** How a view that is read from the record stays current: while the run can move it is read again and again. */
export function rereadEvery(status: RunStatus) {
  return { refetchInterval: isTerminal(status) ? (false as const) : REREAD_MS };
}

/** Once more when the run has ended: what came after the last reading is not told otherwise. */
export function useRereadAtEnd(status: RunStatus, reread: () => unknown): void {
  const before = useRef(status);
  const again = useEffectEvent(reread);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    again();
  }, [status]);
}
