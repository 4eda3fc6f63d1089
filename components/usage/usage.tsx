"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { CleanupList } from "./cleanup-list";
import { DiskUse } from "./disk-use";
import { ErrorCounts } from "./error-counts";
import { LimitsForm } from "./limits-form";
import { RetentionForm } from "./retention-form";
import { useWhyNotOwn } from "./use-why-not-own";

export function Usage() {
  const trpc = useTRPC();
  const { data: usage } = useSuspenseQuery(trpc.usage.get.queryOptions());
  const whyNot = useWhyNotOwn();
  // Whoever edits keeps what was typed; whoever only looks sees what was saved last.
  const seen = (saved: object) => (whyNot === null ? "own" : JSON.stringify(saved));
  return (
    <>
      <DiskUse usage={usage} />
      <LimitsForm key={seen(usage.limits)} usage={usage} whyNot={whyNot} />
      <RetentionForm key={`r${seen(usage.retention)}`} usage={usage} whyNot={whyNot} />
      <CleanupList cleanups={usage.cleanups} />
      <ErrorCounts />
    </>
  );
}
