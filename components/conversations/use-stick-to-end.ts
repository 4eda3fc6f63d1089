"use client";

import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";

const NEAR_END_PX = 32;

/**
 * Keeps a box at its end while what is in it grows, but only for a reader who is there already. `left` counts what could still be put before
 * it: when something is, what is on screen stays where it is.
 */
export function useStickToEnd(left: number) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);

  const toEnd = () => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  };
  const grown = useEffectEvent(() => {
    if (atEnd) toEnd();
  });
  useEffect(() => {
    if (!content.current || !box.current) return;
    // The box too: a keyboard or a growing composer takes height from it.
    const observer = new ResizeObserver(() => grown());
    observer.observe(content.current);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);

  const was = useRef({ left, heightPx: 0 });
  useLayoutEffect(() => {
    const el = box.current;
    if (!el) return;
    if (left < was.current.left) el.scrollTop += el.scrollHeight - was.current.heightPx;
    was.current = { left, heightPx: el.scrollHeight };
  });

  return {
    box,
    content,
    atEnd,
    jump: () => {
      toEnd();
      setAtEnd(true);
    },
    onScroll: () => {
      const el = box.current;
      if (el) setAtEnd(el.scrollHeight - el.scrollTop - el.clientHeight < NEAR_END_PX);
    },
  };
}
