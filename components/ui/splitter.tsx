"use client";

import { useLocalStorage } from "@mantine/hooks";
import { type CSSProperties, useState } from "react";

const STEP_PX = 16;

type Zone = {
  name: string;
  /** Of the line between it and what is beside it: the zone at the right edge begins there, the one at the left ends there. */
  edge: "left" | "right";
  usualPx: number;
  leastPx: number;
  mostPx: number;
};

/** Width of a zone, as this browser last left it. */
export function useZoneWidth({ name, edge, usualPx, leastPx, mostPx }: Zone) {
  const [storedPx, store] = useLocalStorage<number>({
    key: `troupe-zone-${name}`,
    defaultValue: usualPx,
    getInitialValueInEffect: false,
  });
  const within = (px: number) => Math.round(Math.min(mostPx, Math.max(leastPx, px)));
  const widthPx = within(Number.isFinite(storedPx) ? storedPx : usualPx);
  return { edge, widthPx, leastPx, mostPx, setWidthPx: (px: number) => store(within(px)), reset: () => store(usualPx) };
}

type Props = { label: string; zone: ReturnType<typeof useZoneWidth> };

/** The line between two zones: dragged, or moved with the arrow keys; a double click gives the usual width back. */
export function Splitter({ label, zone }: Props) {
  const [from, setFrom] = useState<{ x: number; widthPx: number } | null>(null);
  /** What a pixel to the right adds to the zone. */
  const rightwards = zone.edge === "left" ? 1 : -1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      className={`splitter at-${zone.edge}${from ? " moving" : ""}`}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={zone.widthPx}
      aria-valuemin={zone.leastPx}
      aria-valuemax={zone.mostPx}
      tabIndex={0}
      style={{ "--zone": `${zone.widthPx}px` } as CSSProperties}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setFrom({ x: event.clientX, widthPx: zone.widthPx });
      }}
      onPointerMove={(event) => from && zone.setWidthPx(from.widthPx + rightwards * (event.clientX - from.x))}
      onPointerUp={() => setFrom(null)}
      onPointerCancel={() => setFrom(null)}
      onDoubleClick={zone.reset}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -STEP_PX, ArrowRight: STEP_PX }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        zone.setWidthPx(zone.widthPx + rightwards * by);
      }}
    />
  );
}
