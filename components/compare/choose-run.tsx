"use client";

import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { RunStatusBadge } from "@/components/runs/run-list-status";
import { StartRunButton } from "@/components/runs/start-run-button";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";
import { Money } from "@/components/ui/money";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import type { RunSummary } from "@/server/runs/schema";
import { runsToChoose } from "./runs-to-choose";

const SEARCH_AFTER_MS = 250;

type Props = {
  /** The run that was chosen already: not offered again. */
  besides?: string;
  /** Runs of this team or agent come first. */
  first?: RunSummary["target"];
  hrefOf: (runId: string) => string;
  onChosen?: () => void;
};

/** The newest runs, or those whose title or request holds some words, each a link. */
export function ChooseRun({ besides, first, hrefOf, onChosen }: Props) {
  const trpc = useTRPC();
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), SEARCH_AFTER_MS);
  const query = useQuery(
    trpc.runs.list.queryOptions(runsToChoose(search), { placeholderData: (previous) => previous }),
  );
  const runs = sameFirst(query.data?.items ?? [], first).filter(({ id }) => id !== besides);
  return (
    <div className="choose-run">
      <TextInput
        aria-label="Search runs"
        placeholder="Search by title or request"
        type="search"
        maxLength={200}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={typed}
        data-page-search
        data-autofocus
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {query.data ? (
        <ul className="choose-runs" aria-busy={query.isPlaceholderData} aria-label="Runs">
          {runs.map((run) => (
            <li key={run.id}>
              <Link href={hrefOf(run.id)} prefetch={false} onClick={onChosen}>
                <span className="b ell">{run.title}</span>
                <RunStatusBadge run={run} />
                <span className="t2 fs12 ell">
                  {run.target.name} v{run.target.version}
                  {run.isFork && ", retried from a step"}
                </span>
                <span className="t3 fs12">
                  <RelativeTime at={run.createdAt} />,{" "}
                  <Money nanoUsd={run.costNanoUsd} unpricedCalls={run.unpricedCalls} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      ) : query.error ? (
        <ErrorState
          title="The runs could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {errorWords(query.error).sentence}
        </ErrorState>
      ) : (
        <SkeletonRows rows={8} columns={["1fr", "120px"]} rowHeight={44} label="Loading runs" />
      )}
      {query.data && runs.length === 0 && (
        <EmptyState
          title={search ? "No run matches" : besides ? "There is no other run yet" : "No runs yet"}
          action={!search && <StartRunButton filled={false} />}
        >
          {search
            ? "Look for other words of its title or request."
            : besides
              ? "Start another, run this one again, or retry it from a step."
              : "Runs are listed here to be set side by side, once there are two."}
        </EmptyState>
      )}
    </div>
  );
}

/** Those of one team or agent before the others, each as they were. */
function sameFirst(runs: readonly RunSummary[], first: RunSummary["target"] | undefined): RunSummary[] {
  return [...runs].sort((a, b) => Number(b.target.id === first?.id) - Number(a.target.id === first?.id));
}
