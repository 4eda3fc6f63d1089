"use client";

import { useEffect } from "react";

declare global {
  interface Window {
    /** Left by HOLD_EARLY_PRESS. */
    takeEarlyPress?: () => HTMLElement | null;
  }
}

/** Does what was pressed early, once the page answers. */
export function useEarlyPress(): void {
  useEffect(() => {
    // Not at once: the effects of what is around this one, the router's among them, come after it.
    setTimeout(() => window.takeEarlyPress?.()?.click());
  }, []);
}
