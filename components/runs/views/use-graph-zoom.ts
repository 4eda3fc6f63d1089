"use client";

import { useLayoutEffect, useRef, useState } from "react";

const STEPS = [0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 1, 1.25, 1.5];

type Point = { x: number; y: number };

/** How large a graph is drawn: as it fits, also while it or the room changes, until somebody chooses otherwise. */
export function useGraphZoom(fitting: number) {
  const box = useRef<HTMLDivElement>(null);
  const plane = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  /** What is to stand in the middle once it is drawn at its new size. */
  const [aim, setAim] = useState<Point | null>(null);
  const zoom = chosen ?? fitting;
  const smaller = STEPS.findLast((each) => each < zoom) ?? null;
  const larger = STEPS.find((each) => each > zoom) ?? null;

  useLayoutEffect(() => {
    if (!aim || !box.current || !plane.current) return;
    const [room, drawn] = [box.current.getBoundingClientRect(), plane.current.getBoundingClientRect()];
    box.current.scrollBy(
      drawn.left + aim.x * zoom - room.left - room.width / 2,
      drawn.top + aim.y * zoom - room.top - room.height / 2,
    );
  }, [aim, zoom]);

  /** What of the graph stands in the middle now. */
  const middle = (): Point | null => {
    if (!box.current || !plane.current) return null;
    const [room, drawn] = [box.current.getBoundingClientRect(), plane.current.getBoundingClientRect()];
    return {
      x: (room.left + room.width / 2 - drawn.left) / zoom,
      y: (room.top + room.height / 2 - drawn.top) / zoom,
    };
  };
  const zoomTo = (to: number | null) => {
    if (to === null) return;
    setAim(middle());
    setChosen(to);
  };
  return {
    ...{ box, plane, zoom },
    isFitted: chosen === null,
    smaller: smaller === null || smaller < fitting ? null : () => zoomTo(smaller),
    larger: larger === null ? null : () => zoomTo(larger),
    fit: () => setChosen(null),
    /** Shows a place in the middle, so large that it can be read. */
    show: (at: Point) => {
      setAim({ ...at });
      setChosen(Math.max(zoom, 1));
    },
  };
}
