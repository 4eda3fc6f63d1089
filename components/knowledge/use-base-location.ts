"use client";

import { useSearchParams } from "next/navigation";
import { type BaseLocation, readBaseLocation, writeBaseLocation } from "./base-location";

/** Another tab is a step one can go back from; a filter is not. */
export function useBaseLocation(): [BaseLocation, (change: Partial<BaseLocation>) => void] {
  const params = useSearchParams();
  const location = readBaseLocation((name) => params.get(name));
  const go = (change: Partial<BaseLocation>) => {
    const address = window.location.pathname + writeBaseLocation({ ...location, ...change });
    if (change.tab && change.tab !== location.tab) window.history.pushState(null, "", address);
    else window.history.replaceState(null, "", address);
  };
  return [location, go];
}
