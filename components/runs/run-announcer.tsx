"use client";

import { useEffect, useRef, useState } from "react";
import { announcementsBetween } from "@/components/runs/run-announcements";
import type { RunState } from "@/components/runs/run-state";

/** Tells screen readers what changed while they read something else. */
export function RunAnnouncer({ state }: { state: RunState }) {
  const before = useRef(state);
  const [words, setWords] = useState("");
  useEffect(() => {
    const told = announcementsBetween(before.current, state);
    before.current = state;
    if (told.length > 0) setWords(told.join(". "));
  }, [state]);
  return (
    <span className="sr" aria-live="polite">
      {words}
    </span>
  );
}
