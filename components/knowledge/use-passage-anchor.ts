"use client";

import { useSyncExternalStore } from "react";

const EVENTS = ["hashchange", "popstate"];

function subscribe(listener: () => void): () => void {
  for (const event of EVENTS) window.addEventListener(event, listener);
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, listener);
  };
}

/** Position of the passage the address names, counted from 0 where `#12` counts from 1; null when it names none. */
export function usePassageAnchor(): number | null {
  const hash = useSyncExternalStore(
    subscribe,
    () => window.location.hash,
    () => "",
  );
  return /^#[1-9]\d{0,6}$/.test(hash) ? Number(hash.slice(1)) - 1 : null;
}
