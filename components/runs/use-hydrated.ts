"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * False on the server and while its HTML is taken over, true from then on. Data that the server streams may reach the
 * browser before that moment or after it: what is drawn first must not depend on which.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
