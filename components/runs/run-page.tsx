"use client";

import "@/components/runs/run.css";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { RunConsole } from "@/components/runs/run-console";
import { RunSkeleton } from "@/components/runs/run-skeleton";
import { unpackRunTree } from "@/components/runs/unpack-run-tree";
import { useHydrated } from "@/components/runs/use-hydrated";
import { useTRPC } from "@/components/trpc/client";
import { refusalCodeOf } from "@/components/trpc/refusals";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords, isMissing } from "@/components/ui/error-words";
import { LinkButton } from "@/components/ui/link-button";

/** One run, live. */
export function RunPage({ runId }: { runId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.runs.tree.queryOptions({ runId }, { select: unpackRunTree }));
  const hydrated = useHydrated();
  if (!hydrated) return <RunSkeleton />;
  if (query.data) return <RunConsole key={runId} tree={query.data} reread={() => void query.refetch()} />;
  if (isMissing(query.error)) {
    return (
      <EmptyState
        icon={IconPlayerPlay}
        title="There is no such run"
        action={<LinkButton href="/runs">All runs</LinkButton>}
      >
        {refusalCodeOf(query.error) === "NOT_FOUND" ? errorWords(query.error).sentence : "Its address is mistyped."}
      </EmptyState>
    );
  }
  if (query.error) {
    return (
      <ErrorState title="The run could not be loaded" onRetry={() => void query.refetch()} retrying={query.isFetching}>
        {errorWords(query.error).sentence} The run itself goes on.
      </ErrorState>
    );
  }
  return <RunSkeleton />;
}
