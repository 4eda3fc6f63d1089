"use client";

import { useQuery } from "@tanstack/react-query";
import { useHydrated } from "@/components/runs/use-hydrated";
import { useTRPC } from "@/components/trpc/client";
import { FilterChips } from "@/components/ui/filter-chips";
import type { SpendingFilters } from "@/server/spending/schema";
import { ofAnyOrder } from "./spending-filters";
import { DIMENSION_WORDS, keyWord } from "./spending-words";

/** Those that a row sets and the bar has no field for. */
const CHIPS = ["team", "conversation", "run", "provider", "tools"] as const;

type Props = {
  filters: SpendingFilters;
  onFilter: (change: Partial<SpendingFilters>) => void;
  onClear: () => void;
};

/** What the list is narrowed to, each to be taken away. */
export function SpendingChips({ filters, onFilter, onClear }: Props) {
  const trpc = useTRPC();
  const summary = useQuery(trpc.spending.summary.queryOptions(ofAnyOrder(filters))).data;
  const names = useHydrated() ? summary?.names : undefined;
  const chips = CHIPS.flatMap((dimension) => {
    const key = filters[dimension];
    if (!key) return [];
    const word = names === undefined ? "…" : keyWord(dimension, key, names[dimension]);
    return [{ key: dimension, word: `${DIMENSION_WORDS[dimension].one}: ${word}`, without: { [dimension]: "" } }];
  });
  return <FilterChips chips={chips} onChange={onFilter} onClear={onClear} />;
}
