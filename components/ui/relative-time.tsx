"use client";

import { formatExact, formatRelative } from "./format";
import { useNow } from "./now";

/** "13 min ago", kept up to date; the exact time on hover. */
export function RelativeTime({ at, className }: { at: string | Date; className?: string }) {
  const now = useNow("minute");
  const date = new Date(at);
  // The shared clock is rounded down, so something that just happened may lie ahead of it.
  const reference = now === null ? null : new Date(Math.max(now, Math.min(date.getTime(), Date.now())));
  return (
    <time dateTime={date.toISOString()} title={reference ? formatExact(date) : undefined} className={className}>
      {reference ? formatRelative(date, reference) : ""}
    </time>
  );
}
