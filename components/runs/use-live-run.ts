"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useFollowRun } from "@/components/live/live-provider";
import {
  applyDeltas,
  applyEvents,
  fromSnapshot,
  isBehind,
  type RunState,
  withSnapshot,
} from "@/components/runs/run-state";
import type { RunEvent, TextDelta } from "@/server/engine/events";
import { isHeld, isTerminal } from "@/server/engine/state";
import type { RunTree } from "@/server/runs/schema";

/** Events are applied in batches: a busy run sends hundreds a second, and the eye needs a few. */
const BATCH_MS = 100;
/** A large run takes long to draw: between two batches the browser is free for this many times as long. */
const FREE_FOR = 2;
/** Streaming text is stored every 250 ms: a gap can only be filled after that. */
const REREAD_AFTER_MS = 350;

/** The run as it stands now: the snapshot moved on by what arrives. `reread` reads the snapshot again. */
export function useLiveRun(tree: RunTree, reread: () => void): RunState {
  const [state, setState] = useState(() => fromSnapshot(tree));
  const arrived = useRef<{ events: RunEvent[]; deltas: TextDelta[]; timer: ReturnType<typeof setTimeout> | undefined }>(
    {
      events: [],
      deltas: [],
      timer: undefined,
    },
  );

  const drawing = useRef({ sinceMs: 0, tookMs: 0 });

  const apply = () => {
    drawing.current.sinceMs = performance.now();
    const { events, deltas } = arrived.current;
    arrived.current = { events: [], deltas: [], timer: undefined };
    setState((before) => applyDeltas(applyEvents(before, events), deltas));
  };
  const schedule = () => {
    arrived.current.timer ??= setTimeout(apply, Math.max(BATCH_MS, FREE_FOR * drawing.current.tookMs));
  };
  useFollowRun(tree.run.id, tree.lastSeq, {
    onEvent: (event) => {
      arrived.current.events.push(event);
      schedule();
    },
    onDelta: (delta) => {
      arrived.current.deltas.push(delta);
      schedule();
    },
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: after every batch that was drawn
  useEffect(() => {
    const { sinceMs } = drawing.current;
    if (sinceMs > 0) drawing.current = { sinceMs: 0, tookMs: performance.now() - sinceMs };
  }, [state]);

  const [taken, setTaken] = useState(tree);
  if (taken !== tree) {
    setTaken(tree);
    setState((before) => withSnapshot(before, tree));
  }
  useEffect(() => () => clearTimeout(arrived.current.timer), []);

  const behind = isBehind(state);
  const readAgain = useEffectEvent(reread);
  useEffect(() => {
    if (!behind) return;
    const timer = setInterval(() => readAgain(), REREAD_AFTER_MS);
    return () => clearInterval(timer);
  }, [behind]);

  // Which marks open a passage, and what is still reserved, is told by snapshots only: a run that was followed until it ended
  // or was held is worth one more.
  const stands = isTerminal(state.run.status) || isHeld(state.run.status);
  const isToldLate = stands && tree.lastSeq < state.lastSeq;
  useEffect(() => {
    if (isToldLate) readAgain();
  }, [isToldLate]);

  return state;
}
