"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { LoadBoundary } from "@/components/ui/load-boundary";

type Props = { className: string; of: keyof typeof WORDS };

const WORDS = { waiting: " waiting for an answer", deadLetters: " that nobody has looked at" };

/** How many requests wait for a person, or calls that failed for good. Nothing while none does. */
export function WaitingCount(props: Props) {
  return (
    <LoadBoundary pending={null} failed={null}>
      <Count {...props} />
    </LoadBoundary>
  );
}

function Count({ className, of }: Props) {
  const trpc = useTRPC();
  const count = useSuspenseQuery(trpc.runs.summary.queryOptions()).data[of];
  if (count === 0) return null;
  return (
    <span className={className}>
      {count}
      <span className="sr">{WORDS[of]}</span>
    </span>
  );
}
