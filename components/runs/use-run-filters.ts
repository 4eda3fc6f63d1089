"use client";

import { useSearchParams } from "next/navigation";
import type { RunFilters } from "@/server/runs/list-schema";
import { readRunFilters, runFiltersToParams } from "./run-list-filters";

/** Filters live in the address, so a list can be linked to, reloaded and left again; so does the saved view they came from. */
export function useRunFilters() {
  const params = useSearchParams();
  const filters = readRunFilters(params);
  const viewId = params.get("view");
  const write = (next: RunFilters, view: string | null) => {
    const written = runFiltersToParams(next);
    if (view !== null) written.set("view", view);
    const query = written.toString();
    // Only the list changes: no round trip to the server for the page around it.
    window.history.replaceState(null, "", window.location.pathname + (query && `?${query}`));
  };
  return {
    filters,
    viewId,
    setFilters: (change: Partial<RunFilters>) => write({ ...filters, ...change }, viewId),
    openView: (view: { id: string; filters: RunFilters } | null, otherwise: RunFilters) =>
      write(view?.filters ?? otherwise, view?.id ?? null),
  };
}
