"use client";

import { useEffect } from "react";

const inDialog = (element: Element) => element.closest("[role=dialog]") !== null;

const nameOf = (element: Element) => element.getAttribute("aria-label") ?? element.textContent;

/**
 * What stands in the place of an element that was drawn anew meanwhile, as when what it belongs to was loaded again. Of several of that name
 * none: it may be another row's.
 */
function likeOf(gone: HTMLElement): HTMLElement | undefined {
  const name = nameOf(gone);
  const like = [...document.querySelectorAll<HTMLElement>(gone.tagName)].filter((element) => nameOf(element) === name);
  return like.length === 1 ? like[0] : undefined;
}

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
    const giveBack = () => {
      if (!wasInside || document.activeElement !== document.body || document.querySelector("[role=dialog]")) return;
      wasInside = false;
      if (before) (before.isConnected ? before : likeOf(before))?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (!wasInside || document.querySelector("[role=dialog]")) return;
      giveBack();
      // A dialog may be taken away in several pieces, and the focus leave it after the last of them.
      requestAnimationFrame(giveBack);
    });
    document.addEventListener("focusin", onFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", onFocus);
      observer.disconnect();
    };
  }, []);
}
