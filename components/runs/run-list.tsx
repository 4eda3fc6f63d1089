"use client";

import { useHotkeys } from "@mantine/hooks";
import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { formatPlural } from "@/components/ui/format";
import { LoadMore } from "@/components/ui/load-more";
import type { RunFilters } from "@/server/runs/list-schema";
import type { RunSummary } from "@/server/runs/schema";
import { BulkBar } from "./bulk-bar";
import { RunListEmpty } from "./run-list-empty";
import { RUNS_PER_PAGE, runFiltersToQuery } from "./run-list-filters";
import { RunListTable } from "./run-list-table";
import { focusedRow, moveRowFocus } from "./run-row-focus";
import { useHeldRows } from "./use-held-rows";
import { rememberRunList } from "./use-run-neighbour";
import { useRunSelection } from "./use-run-selection";

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
  const whyNotAct = useWhyNotAct();
  const input = { ...filters, limit: RUNS_PER_PAGE };
  const query = useSuspenseInfiniteQuery({
    ...trpc.runs.list.infiniteQueryOptions(input, { getNextPageParam: (page) => page.nextCursor }),
    select: toRows,
  });
  const listed = runFiltersToQuery(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `listed` is what `filters` say
  useEffect(() => rememberRunList(filters), [listed]);
  // What somebody did here themselves is shown at once, wherever they point.
  const [changes, setChanges] = useState(0);
  const showChanges = () => setChanges((count) => count + 1);
  const { rows, withheld, release, holdProps } = useHeldRows(`${listed} ${changes}`, query.data);
  const order = useMemo(() => rows.map(({ id }) => id), [rows]);
  const picks = useRunSelection(listed, order);
  const list = useRef<HTMLDivElement>(null);
  const pickFocused = () => {
    const id = focusedRow(list.current)?.querySelector("[data-pick]")?.getAttribute("data-pick");
    if (id) picks.pick(id, false);
  };
  useHotkeys([
    ["j", () => moveRowFocus(list.current, 1)],
    ["k", () => moveRowFocus(list.current, -1)],
    ["ArrowDown", () => moveRowFocus(list.current, 1)],
    ["ArrowUp", () => moveRowFocus(list.current, -1)],
    ["x", pickFocused],
  ]);

  if (rows.length === 0) return <RunListEmpty filters={filters} onClear={onClear} />;
  const isEveryRowPicked = order.every((id) => picks.picked.has(id));

  return (
    <div ref={list} className="busy-line" aria-busy={busy} {...holdProps}>
      {withheld > 0 && (
        <button type="button" className="withheld" onClick={release}>
          Show {formatPlural(withheld, "new run")}
        </button>
      )}
      {picks.picked.size > 0 && (
        <BulkBar
          filters={filters}
          picks={picks}
          mayBeMore={isEveryRowPicked && query.hasNextPage}
          onChanged={showChanges}
        />
      )}
      <RunListTable rows={rows} picks={whyNotAct === null ? picks : null} onChanged={showChanges} />
      <LoadMore query={query} />
    </div>
  );
}
