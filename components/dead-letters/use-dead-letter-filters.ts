"use client";

import { useSearchParams } from "next/navigation";
import { type DeadLetterFilters, deadLettersHref, readDeadLetterFilters } from "./dead-letter-filters";

/** Filters live in the address, so a list can be linked to, reloaded and left again. */
export function useDeadLetterFilters(): [DeadLetterFilters, (change: Partial<DeadLetterFilters>) => void] {
  const params = useSearchParams();
  const filters = readDeadLetterFilters((name) => params.get(name));
  const setFilters = (change: Partial<DeadLetterFilters>) => {
    // Only the list changes: no round trip to the server for the page around it.
    window.history.replaceState(null, "", deadLettersHref({ ...filters, ...change }));
  };
  return [filters, setFilters];
}
