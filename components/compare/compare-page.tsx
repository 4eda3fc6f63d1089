"use client";

import "./compare.css";
import "@/components/runs/run.css";
import "@/components/runs/inspector/inspector.css";
import { IconGitCompare } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { usePageCrumbs } from "@/components/layout/crumbs";
import { useHydrated } from "@/components/runs/use-hydrated";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords, isMissing } from "@/components/ui/error-words";
import { LinkButton } from "@/components/ui/link-button";
import { PageHead } from "@/components/ui/page-head";
import { ChooseRun } from "./choose-run";
import { compareHref, readCompareLocation } from "./compare-location";
import { CompareSkeleton } from "./compare-skeleton";
import { CompareView } from "./compare-view";

/** Two runs side by side; with less than two it asks which. */
export function ComparePage() {
  const params = useSearchParams();
  const { left, right } = readCompareLocation((name) => params.get(name));
  const hydrated = useHydrated();
  usePageCrumbs([{ word: "Compare" }]);
  if (!hydrated) return <CompareSkeleton />;
  if (left && right) return <Compared key={`${left} ${right}`} left={left} right={right} />;
  const chosen = left ?? right;
  return chosen ? <OneChosen runId={chosen} /> : <NoneChosen />;
}

function Compared({ left, right }: { left: string; right: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.runs.compare.queryOptions({ leftRunId: left, rightRunId: right }));
  if (query.data)
    return <CompareView comparison={query.data} rereading={query.isFetching} onReread={() => void query.refetch()} />;
  return <NotThere query={query} />;
}

function OneChosen({ runId }: { runId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.runs.facts.queryOptions({ runId }));
  if (!query.data) return <NotThere query={query} />;
  const { title, target } = query.data;
  return (
    <div className="page">
      <PageHead title="Compare runs" meta={<span>“{title}” with which other run?</span>} />
      <ChooseRun besides={runId} first={target} hrefOf={(right) => compareHref({ left: runId, right })} />
    </div>
  );
}

function NoneChosen() {
  return (
    <div className="page">
      <PageHead title="Compare runs" meta={<span>Choose a run, then the one to set beside it.</span>} />
      <ChooseRun hrefOf={(left) => compareHref({ left })} />
    </div>
  );
}

type Query = { error: unknown; isFetching: boolean; refetch: () => unknown };

/** Instead of runs: that one of them does not exist, that they could not be read, or that they are on their way. */
function NotThere({ query }: { query: Query }) {
  if (isMissing(query.error)) {
    return (
      <EmptyState
        icon={IconGitCompare}
        title="There is no such run"
        action={<LinkButton href="/runs">All runs</LinkButton>}
      >
        One of the runs to compare may have been deleted, or it belongs to another workspace.
      </EmptyState>
    );
  }
  if (query.error) {
    return (
      <ErrorState
        title="The runs could not be compared"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {errorWords(query.error).sentence} The runs themselves are not affected.
      </ErrorState>
    );
  }
  return <CompareSkeleton />;
}
