"use client";

import { useLayoutEffect, useRef, useState } from "react";

const NEAR_END_PX = 24;

/** Keeps a box that grows at its end, but only for a reader who is there already. */
export function useFollowEnd(content: string) {
  const box = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);

  const jump = () => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
    setAtEnd(true);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new piece of content may need scrolling
  useLayoutEffect(() => {
    if (atEnd && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [content, atEnd]);

  const onScroll = () => {
    const el = box.current;
    if (el) setAtEnd(el.scrollHeight - el.scrollTop - el.clientHeight < NEAR_END_PX);
  };
  return { box, atEnd, jump, onScroll };
}
