"use client";

import { useSearchParams } from "next/navigation";
import { type RunFilters, readRunFilters, runFiltersToQuery } from "./run-list-filters";

/** Filters live in the address, so a list can be linked to, reloaded and left again. */
export function useRunFilters(): [RunFilters, (change: Partial<RunFilters>) => void] {
  const params = useSearchParams();
  const filters = readRunFilters((name) => params.get(name));
  const setFilters = (change: Partial<RunFilters>) => {
    const query = runFiltersToQuery({ ...filters, ...change });
    // Only the list changes: no round trip to the server for the page around it.
    window.history.replaceState(null, "", window.location.pathname + query);
  };
  return [filters, setFilters];
}
