"use client";

import { useEffect, useState } from "react";
import { isTerminal, type RunStatus } from "@/server/engine/state";

const TICK_MS: Partial<Record<RunStatus, number>> = { running: 250 };
const CALM_TICK_MS = 1000;

/**
 * The instant that "now" stands for in the picture, in epoch ms. It ticks while the run can move and never lies before
 * the newest thing that happened, whatever the reader's own clock says.
 */
export function useRunClock(status: RunStatus, newestMs: number): number {
  const [nowMs, setNowMs] = useState(newestMs);
  const ended = isTerminal(status);
  const tickMs = TICK_MS[status] ?? CALM_TICK_MS;
  useEffect(() => {
    if (ended) return;
    const tick = () => setNowMs(Date.now());
    tick();
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, [ended, tickMs]);
  return Math.max(nowMs, newestMs);
}
