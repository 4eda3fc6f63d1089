"use client";

import { Button } from "@mantine/core";
import { IconFilterOff, IconSquareRotated } from "@tabler/icons-react";
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { StartRunButton } from "@/components/runs/start-run-button";
import { useHeldRows } from "@/components/runs/use-held-rows";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { formatPlural } from "@/components/ui/format";
import { LoadMore } from "@/components/ui/load-more";
import type { DecisionFilters, DecisionSummary } from "@/server/decisions/schema";
import { DECISIONS_PER_PAGE, decisionsHref } from "./decision-filters";
import { DecisionRow } from "./decision-row";

type Props = {
  filters: DecisionFilters;
  onFilter: (change: Partial<DecisionFilters>) => void;
  onClear: () => void;
};
type Page = { items: DecisionSummary[]; nextCursor: string | null };

// Stable, so that the rows stay the same array while nothing changes.
const toRows = (data: { pages: Page[] }) => data.pages.flatMap((page) => page.items);

/** The list under the filters. It refreshes by hints and stands still while somebody points at it. */
export function DecisionList({ filters, onFilter, onClear }: Props) {
  const trpc = useTRPC();
  const list = decisionsHref(filters);
  const query = useSuspenseInfiniteQuery({
    ...trpc.decisions.list.infiniteQueryOptions(
      { ...filters, limit: DECISIONS_PER_PAGE },
      { getNextPageParam: (page) => page.nextCursor },
    ),
    select: toRows,
  });
  const { rows, withheld, release, holdProps } = useHeldRows(list, query.data);
  if (rows.length === 0) {
    return <Nothing filters={filters} onClear={onClear} />;
  }
  return (
    <div {...holdProps}>
      {withheld > 0 && (
        <button type="button" className="withheld" onClick={release}>
          Show {formatPlural(withheld, "new decision")}
        </button>
      )}
      <ul className="decisions">
        {rows.map((decision) => (
          <DecisionRow key={decision.id} decision={decision} onFilter={onFilter} />
        ))}
      </ul>
      <LoadMore query={query} />
    </div>
  );
}

function Nothing({ filters, onClear }: Pick<Props, "filters" | "onClear">) {
  if (decisionsHref(filters) !== decisionsHref({})) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title="No decision matches"
        action={<Button onClick={onClear}>Clear the filters</Button>}
      >
        {searchWords(filters)}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconSquareRotated} title="No decisions yet" action={<StartRunButton filled={false} />}>
      Each choice in a run is kept here as it is taken: what was on offer, what was chosen, and why.
    </EmptyState>
  );
}

/** What a search looks at; without one it is the filters that leave nothing. */
function searchWords({ search, rank }: DecisionFilters): string {
  if (search === "") return "Take one of the filters away to see more.";
  if (rank === "") return "The search looks at reasons, what was chosen, and titles of runs.";
  return "Compared are the agent's task, what was said last and the options, among the newest 10,000. New decisions are added within a few seconds.";
}
