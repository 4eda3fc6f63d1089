"use client";

import { useSyncExternalStore } from "react";

/**
 * One timer for every clock on the page. It runs only while something listens and the tab is visible; a reader
 * that needs minutes is not woken every second, because its snapshot does not change.
 */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function wake() {
  for (const listener of listeners) listener();
}

function arrange() {
  const wanted = listeners.size > 0 && document.visibilityState === "visible";
  if (wanted && timer === undefined) {
    timer = setInterval(wake, 1000);
    wake();
  } else if (!wanted && timer !== undefined) {
    clearInterval(timer);
    timer = undefined;
  }
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) document.addEventListener("visibilitychange", arrange);
  listeners.add(listener);
  if (timer === undefined) arrange();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      document.removeEventListener("visibilitychange", arrange);
      arrange();
    }
  };
}

const STEP_MS = { second: 1000, minute: 15_000 };

/** The time in epoch ms, moved on each second or a few times a minute; null on the server, which has another clock. */
export function useNow(pace: "second" | "minute" = "second"): number | null {
  const step = STEP_MS[pace];
  return useSyncExternalStore(
    subscribe,
    () => Math.floor(Date.now() / step) * step,
    () => null,
  );
}
