"use client";

import { useSyncExternalStore } from "react";

/** Whether this tab may read and write: not once its session has ended, or its person has left the workspace. */
export type Access = "open" | "signed-out" | "removed";

// One for the life of the tab, as the query cache is: what learns of a refusal is far from what tells it.
let access: Access = "open";
const listeners = new Set<() => void>();

export function getAccess(): Access {
  return access;
}

export function setAccess(next: Access): void {
  if (next === access || typeof window === "undefined") return;
  access = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useAccess(): Access {
  return useSyncExternalStore(subscribe, getAccess, () => "open");
}
