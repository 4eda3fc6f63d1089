"use client";

import { type PointerEvent, useRef, useState } from "react";
import { type Axis, type Span, spanBetween } from "@/components/runs/run-axis";
import { RunGaps } from "@/components/runs/run-bar";

type Props = { axis: Axis; nowMs: number; onZoom: (span: Span) => void };
/** Pixels from the left edge. */
type Drawn = { fromPx: number; toPx: number };
/** Shorter pulls are clicks that slipped. */
const SHORTEST_PX = 4;

/** The time axis above the bars. A stretch drawn over it is zoomed to; the keys and buttons of the page do the same. */
export function RunBrush({ axis, nowMs, onZoom }: Props) {
  const box = useRef<HTMLSpanElement>(null);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const placeOf = (event: PointerEvent) => {
    const { left = 0, width = 0 } = box.current?.getBoundingClientRect() ?? {};
    return Math.min(Math.max(event.clientX - left, 0), width);
  };
  const end = () => {
    setDrawn(null);
    const width = box.current?.clientWidth ?? 0;
    if (!drawn || Math.abs(drawn.toPx - drawn.fromPx) < SHORTEST_PX) return;
    const [a, b] = [axis.instantAt(drawn.fromPx, width), axis.instantAt(drawn.toPx, width)];
    const span = spanBetween(axis, a, b, Math.max(nowMs, axis.endMs));
    if (span) onZoom(span);
  };
  return (
    <span
      ref={box}
      className="tl brush"
      role="presentation"
      title="Draw over a stretch of time to zoom to it"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrawn({ fromPx: placeOf(event), toPx: placeOf(event) });
      }}
      onPointerMove={(event) => setDrawn((now) => now && { ...now, toPx: placeOf(event) })}
      onPointerUp={end}
      onPointerCancel={() => setDrawn(null)}
    >
      <RunGaps axis={axis} />
      {axis.ticks.map((tick) => (
        <span key={tick.atMs} className="tick" style={{ left: axis.at(tick.atMs) }}>
          {tick.label}
        </span>
      ))}
      {drawn && (
        <span
          className="brushed"
          style={{ left: Math.min(drawn.fromPx, drawn.toPx), width: Math.abs(drawn.toPx - drawn.fromPx) }}
        />
      )}
    </span>
  );
}
