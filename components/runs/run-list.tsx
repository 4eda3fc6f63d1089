"use client";

import { Button } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import type { RunSummary } from "@/server/runs/schema";
import { RunListEmpty } from "./run-list-empty";
import { RUNS_PER_PAGE, type RunFilters, runFiltersToQuery } from "./run-list-filters";
import { RunListTable } from "./run-list-table";
import { moveRowFocus } from "./run-row-focus";
import { useHeldRows } from "./use-held-rows";

type Props = {
  filters: RunFilters;
  /** Another list is being loaded in place of this one. */
  busy: boolean;
  onClear: () => void;
};
type Page = { items: RunSummary[]; nextCursor: string | null };

// Stable, so that the rows stay the same array while nothing changes.
const toRows = (data: { pages: Page[] }) => data.pages.flatMap((page) => page.items);

/** The list under the filters. It refreshes by hints and stands still while somebody points at it. */
export function RunList({ filters, busy, onClear }: Props) {
  const trpc = useTRPC();
  const input = { ...filters, limit: RUNS_PER_PAGE };
  const query = useSuspenseInfiniteQuery({
    ...trpc.runs.list.infiniteQueryOptions(input, { getNextPageParam: (page) => page.nextCursor }),
    select: toRows,
  });
  const { rows, withheld, release, holdProps } = useHeldRows(runFiltersToQuery(filters), query.data);
  const list = useRef<HTMLDivElement>(null);
  useHotkeys([
    ["j", () => moveRowFocus(list.current, 1)],
    ["k", () => moveRowFocus(list.current, -1)],
    ["ArrowDown", () => moveRowFocus(list.current, 1)],
    ["ArrowUp", () => moveRowFocus(list.current, -1)],
  ]);

  if (rows.length === 0) return <RunListEmpty filters={filters} onClear={onClear} />;

  return (
    <div ref={list} aria-busy={busy} {...holdProps}>
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
