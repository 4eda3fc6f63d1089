"use client";

import { useSearchParams } from "next/navigation";
import { useDeferredValue } from "react";

type Address<F> = { read: (get: (name: string) => string | null) => F; href: (filters: Partial<F>) => string };

/**
 * Filters live in the address, so a list can be linked to, reloaded and left again. `shown` are those of the list on screen: it stays
 * until the next one is there.
 */
export function useAddressFilters<F>({ read, href }: Address<F>) {
  const params = useSearchParams();
  const filters = read((name) => params.get(name));
  const shownAt = useDeferredValue(href(filters));
  const shown = read((name) => new URL(shownAt, "http://here").searchParams.get(name));
  const setFilters = (change: Partial<F>) => {
    // Only the list changes: no round trip to the server for the page around it.
    window.history.replaceState(null, "", href({ ...filters, ...change }));
  };
  return { filters, shown, setFilters, isBusy: shownAt !== href(filters) };
}
