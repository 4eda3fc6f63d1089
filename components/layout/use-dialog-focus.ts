"use client";

import { useEffect } from "react";

const dialogOf = (element: Element) => element.closest("[role=dialog]");

/** A menu is gone once something was chosen from it: who comes back comes to what opened it. */
const inMenu = (element: Element) => element.closest("[role=menu]") !== null;

const nameOf = (element: Element) => element.getAttribute("aria-label") ?? element.textContent;

/** What looks like an element of the page, itself among them. */
const alike = (element: HTMLElement) =>
  [...document.querySelectorAll<HTMLElement>(element.tagName)].filter((other) => nameOf(other) === nameOf(element));

/** An element that had the focus, and the how manyth of how many of its name it was. */
type Place = { element: HTMLElement; nth: number; of: number };

function placeOf(element: HTMLElement): Place {
  // Rows and the like are too many to be compared at each step of the keyboard, and open no dialogs.
  const others = element.matches("button, a") ? alike(element) : [element];
  return { element, nth: others.indexOf(element), of: others.length };
}

/**
 * What had the focus, or what stands in its place where it was drawn anew meanwhile, as when what it belongs to was loaded again. Nothing
 * when there are more or fewer of its name than there were: it might be another row's.
 */
function stillThere({ element, nth, of }: Place): HTMLElement | undefined {
  if (element.isConnected) return element;
  const now = alike(element);
  return now.length === of ? now[nth] : undefined;
}

/**
 * Gives the focus back to where it was when a dialog is taken away as a whole. Mantine does so for dialogs that stay and are
 * closed; one that is no longer rendered would leave the keyboard at the top of the page.
 *
 * What a dialog has to load gets the focus once it is there, as it would have had it at once: Mantine looks for it only when the dialog
 * opens, and takes the button that closes it instead. Not when somebody has gone on by then.
 */
export function useDialogFocus(): void {
  useEffect(() => {
    // Where somebody was before this script came counts as well.
    const here = document.activeElement;
    let before = here instanceof HTMLElement && here !== document.body ? placeOf(here) : null;
    let wasInside = false;
    /** A dialog is open, or has gone and nobody has the focus since: it may have been in the menu that opened the dialog to the last. */
    let isDue = false;
    /** A dialog nobody has done anything in since it opened. */
    let fresh: Element | null = null;
    /** What was given the focus back, as long as nothing else has had it since. */
    let given: HTMLElement | null = null;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      given = null;
      const dialog = dialogOf(target);
      if (dialog && !wasInside) fresh = dialog;
      wasInside = dialog !== null;
      isDue ||= wasInside;
      if (wasInside || inMenu(target)) return;
      before = placeOf(target);
      isDue = false;
    };
    const goOn = () => {
      fresh = null;
    };
    const focusLoaded = () => {
      const loaded = fresh?.querySelector<HTMLElement>("[data-autofocus]");
      if (!loaded) return;
      fresh = null;
      loaded.focus({ preventScroll: true });
    };
    const giveBack = () => {
      if (!isDue || document.activeElement !== document.body || document.querySelector("[role=dialog]")) return;
      const place = before && stillThere(before);
      place?.focus({ preventScroll: true });
      // What is being drawn anew, or cannot be focused yet, is waited for, until something else has the focus.
      if (!place || document.activeElement !== place) return;
      isDue = wasInside = false;
      given = place;
    };
    const observer = new MutationObserver(() => {
      focusLoaded();
      // Drawn anew right after it was given the focus: that is lost with the old one.
      if (given && !given.isConnected) {
        given = null;
        isDue = document.activeElement === document.body;
      }
      if (!isDue || document.querySelector("[role=dialog]")) return;
      giveBack();
      // A dialog may be taken away in several pieces, and the focus leave it after the last of them.
      requestAnimationFrame(giveBack);
    });
    // On the way down: React keeps what happens to a part it has not taken over yet from whoever listens on the way up.
    document.addEventListener("focusin", onFocus, true);
    document.addEventListener("keydown", goOn, true);
    document.addEventListener("pointerdown", goOn, true);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", onFocus, true);
      document.removeEventListener("keydown", goOn, true);
      document.removeEventListener("pointerdown", goOn, true);
      observer.disconnect();
    };
  }, []);
}
