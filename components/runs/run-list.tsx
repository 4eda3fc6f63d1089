"use client";

import { Button } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTRPC } from "@/components/trpc/client";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import type { RunSummary } from "@/server/runs/schema";
import { RunListEmpty } from "./run-list-empty";
import { RUNS_PER_PAGE, type RunFilters, runFiltersToQuery } from "./run-list-filters";
import { RunListTable } from "./run-list-table";
import { moveRowFocus } from "./run-row-focus";
import { useHeldRows } from "./use-held-rows";

type Props = { filters: RunFilters; onClear: () => void };
type Page = { items: RunSummary[]; nextCursor: string | null };

const NONE: RunSummary[] = [];
// Stable, so that the rows stay the same array while nothing changes.
const toRows = (data: { pages: Page[] }) => data.pages.flatMap((page) => page.items);

/** The list under the filters. It refreshes by hints and stands still while somebody points at it. */
export function RunList({ filters, onClear }: Props) {
  const trpc = useTRPC();
  const input = { ...filters, limit: RUNS_PER_PAGE };
  const query = useInfiniteQuery({
    ...trpc.runs.list.infiniteQueryOptions(input, { getNextPageParam: (page) => page.nextCursor }),
    placeholderData: keepPreviousData,
    select: toRows,
  });
  const listName = query.isPlaceholderData ? "before" : runFiltersToQuery(filters);
  const { rows, withheld, release, holdProps } = useHeldRows(listName, query.data ?? NONE);
  const list = useRef<HTMLDivElement>(null);
  useHotkeys([
    ["j", () => moveRowFocus(list.current, 1)],
    ["k", () => moveRowFocus(list.current, -1)],
    ["ArrowDown", () => moveRowFocus(list.current, 1)],
    ["ArrowUp", () => moveRowFocus(list.current, -1)],
  ]);

  if (query.isPending) {
    return (
      <SkeletonRows rows={12} label="Loading runs" columns={["3fr", "1fr", "1fr", "1fr", "60px", "60px", "60px"]} />
    );
  }
  if (query.isError && rows.length === 0) {
    return (
      <ErrorState title="The runs could not be loaded" onRetry={() => void query.refetch()} retrying={query.isFetching}>
        {errorWords(query.error).sentence} Runs are not affected: they go on in the background.
      </ErrorState>
    );
  }
  if (rows.length === 0) return <RunListEmpty filters={filters} onClear={onClear} />;

  return (
    <div ref={list} aria-busy={query.isPlaceholderData} {...holdProps}>
      {withheld > 0 && (
        <button type="button" className="withheld" onClick={release}>
          Show {formatPlural(withheld, "new run")}
        </button>
      )}
      <RunListTable rows={rows} />
      {query.hasNextPage && (
        <div className="load-more">
          <Button onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
            Load more
          </Button>
          {query.isFetchNextPageError && <span className="t2 fs12">{errorWords(query.error).sentence}</span>}
        </div>
      )}
    </div>
  );
}
