"use client";

import { type Axis, type Span, spanBeside, spanBetween } from "@/components/runs/run-axis";
import type { RunView } from "@/components/runs/use-run-view";

/** What is shown on either side of a row that is zoomed to; a decision is an instant. */
const LEAST_EDGE_MS = 50;
const EDGE_SHARE = 0.05;

/** Which part of the time axis is shown, and the ways to change it without a mouse. `lastMs`: how far the run goes by now. */
export function useRunZoom(view: RunView, axis: Axis, lastMs: number) {
  const set = (zoom: Span | null) => view.go({ zoom });
  return {
    isZoomed: view.zoom !== null,
    set,
    reset: () => set(null),
    /** So many times as much of the time. */
    by: (times: number) => set(spanBeside(axis, { times }, lastMs)),
    /** By a share of what is shown, later where it is positive. */
    move: (by: number) => set(spanBeside(axis, { by }, lastMs)),
    /** To when a row went on. */
    toRow(key: string | null) {
      const node = key === null ? undefined : view.places.get(key)?.node;
      if (!node) return;
      const endMs = node.endMs ?? lastMs;
      const edgeMs = Math.max(LEAST_EDGE_MS, (endMs - node.startMs) * EDGE_SHARE);
      set(spanBetween(axis, node.startMs - edgeMs, endMs + edgeMs, lastMs));
    },
  };
}

export type RunZoom = ReturnType<typeof useRunZoom>;
