"use client";

import { useEffect } from "react";

const inDialog = (element: Element) => element.closest("[role=dialog]") !== null;

/**
 * Gives the focus back to where it was when a dialog is taken away as a whole. Mantine does so for dialogs that stay and are
 * closed; one that is no longer rendered would leave the keyboard at the top of the page.
 */
export function useDialogFocus(): void {
  useEffect(() => {
    // Where somebody was before this script came counts as well.
    const here = document.activeElement;
    let before = here instanceof HTMLElement && here !== document.body ? here : null;
    let wasInside = false;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      wasInside = inDialog(target);
      if (!wasInside) before = target;
    };
    const observer = new MutationObserver(() => {
      if (!wasInside || document.activeElement !== document.body || document.querySelector("[role=dialog]")) return;
      wasInside = false;
      if (before?.isConnected) before.focus({ preventScroll: true });
    });
    document.addEventListener("focusin", onFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", onFocus);
      observer.disconnect();
    };
  }, []);
}
