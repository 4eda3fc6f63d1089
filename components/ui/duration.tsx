"use client";

import { formatDuration, formatElapsed } from "./format";
import { useNow } from "./now";

type Props = {
  /** When it began; null shows nothing. */
  from: string | Date | null;
  /** When it ended; null while it goes on, and the clock ticks. */
  to: string | Date | null;
  className?: string;
};

/** How long something took, or has taken so far. */
export function Duration({ from, to, className }: Props) {
  if (from === null) return null;
  const began = new Date(from).getTime();
  if (to === null) return <Elapsed began={began} className={className} />;
  return <span className={className}>{formatDuration(new Date(to).getTime() - began)}</span>;
}

function Elapsed({ began, className }: { began: number; className?: string }) {
  const now = useNow("second");
  return <span className={className}>{now === null ? "" : formatElapsed(now - began)}</span>;
}
