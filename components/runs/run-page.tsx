"use client";

import "@/components/runs/run.css";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { RunConsole } from "@/components/runs/run-console";
import { RunSkeleton } from "@/components/runs/run-skeleton";
import { useHydrated } from "@/components/runs/use-hydrated";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";
import { LinkButton } from "@/components/ui/link-button";

/** One run, live. */
export function RunPage({ runId }: { runId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.runs.tree.queryOptions({ runId }));
  const hydrated = useHydrated();
  if (!hydrated) return <RunSkeleton />;
  if (query.data) return <RunConsole key={runId} tree={query.data} reread={() => void query.refetch()} />;
  if (isNotFound(query.error)) {
    return (
      <EmptyState
        icon={IconPlayerPlay}
        title="There is no such run"
        action={<LinkButton href="/runs">All runs</LinkButton>}
      >
        It may have been deleted, or it belongs to another workspace.
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

/** An id that is no id is no run either. */
function isNotFound(error: unknown): boolean {
  if (!(error instanceof TRPCClientError)) return false;
  const status: unknown = error.data?.httpStatus;
  return status === 404 || status === 400;
}
