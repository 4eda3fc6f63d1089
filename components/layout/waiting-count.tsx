"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { LoadBoundary } from "@/components/ui/load-boundary";

/** How many requests wait for a person; shown at Home, where they are answered. Nothing while none does. */
export function WaitingCount({ className }: { className: string }) {
  return (
    <LoadBoundary pending={null} failed={null}>
      <Count className={className} />
    </LoadBoundary>
  );
}

function Count({ className }: { className: string }) {
  const trpc = useTRPC();
  const { waiting } = useSuspenseQuery(trpc.runs.summary.queryOptions()).data;
  if (waiting === 0) return null;
  return (
    <span className={className}>
      {waiting}
      <span className="sr"> waiting for an answer</span>
    </span>
  );
}
