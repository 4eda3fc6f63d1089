"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent, useState } from "react";
import { type RunLocationChange, readRunLocation, writeRunLocation } from "@/components/runs/run-location";

/**
 * What the URL says, and a way to change it. The router takes a changed address up when it has time for it: until then
 * `moved` holds it, so that the next key acts on what the last one did.
 */
export function useRunLocation() {
  const pathname = usePathname();
  const params = useSearchParams();
  const [moved, setMoved] = useState<URLSearchParams | null>(null);
  const location = readRunLocation(moved ?? params);

  const takeUp = useEffectEvent((routed: string) => {
    if (moved !== null && routed === new URLSearchParams(window.location.search).toString()) setMoved(null);
  });
  useEffect(() => takeUp(params.toString()), [params]);
  useEffect(() => {
    const leave = () => setMoved(null);
    window.addEventListener("popstate", leave);
    return () => window.removeEventListener("popstate", leave);
  }, []);

  /** Shallow: the page has what it needs, so the server is not asked. A sheet is left with the Back button. */
  function go(change: RunLocationChange) {
    const search = writeRunLocation(window.location.search, change);
    if (change.sheet === true && !location.sheet) window.history.pushState(null, "", `${pathname}${search}`);
    else window.history.replaceState(null, "", `${pathname}${search}`);
    setMoved(new URLSearchParams(search));
  }

  return { location, go };
}
