"use client";

import { useSearchParams } from "next/navigation";
import type { DecisionFilters } from "@/server/decisions/schema";
import { decisionsHref, readDecisionFilters } from "./decision-filters";

/** Filters live in the address, so a list can be linked to, reloaded and left again. */
export function useDecisionFilters(): [DecisionFilters, (change: Partial<DecisionFilters>) => void] {
  const params = useSearchParams();
  const filters = readDecisionFilters((name) => params.get(name));
  const setFilters = (change: Partial<DecisionFilters>) => {
    // Only the list changes: no round trip to the server for the page around it.
    window.history.replaceState(null, "", decisionsHref({ ...filters, ...change }));
  };
  return [filters, setFilters];
}
