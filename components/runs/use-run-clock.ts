"use client";

import { useEffect, useState } from "react";
import { isHeld, isTerminal, type RunStatus } from "@/server/engine/state";

const TICK_MS: Partial<Record<RunStatus, number>> = { running: 250 };
const CALM_TICK_MS = 1000;

/**
 * The instant that "now" stands for in the picture, in epoch ms. It ticks while the run can move and never lies before
 * the newest thing that happened, whatever the reader's own clock says. Of a run that is held it is that newest thing.
 */
export function useRunClock(status: RunStatus, newestMs: number): number {
  const [nowMs, setNowMs] = useState(newestMs);
  const held = isHeld(status);
  const still = held || isTerminal(status);
  const tickMs = TICK_MS[status] ?? CALM_TICK_MS;
  useEffect(() => {
    if (still) return;
    const tick = () => setNowMs(Date.now());
    tick();
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, [still, tickMs]);
  return held ? newestMs : Math.max(nowMs, newestMs);
}
