"use client";

import { useWindowEvent } from "@mantine/hooks";
import type { CompareViewState } from "./use-compare-view";

type Options = { view: CompareViewState; onOpen: () => void };

/** The keys of the page that compares. Silent inside fields and menus; walking goes on while the details lie over the page. */
export function useCompareKeys({ view, onOpen }: Options): void {
  useWindowEvent("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const act = actionOf(event.key, { view, onOpen });
    if (!act || (!WALKING.has(event.key) && !isInTree(event.target))) return;
    event.preventDefault();
    act();
  });
}

const WALKING: ReadonlySet<string> = new Set(["n", "p"]);

function actionOf(key: string, { view, onOpen }: Options): (() => void) | null {
  switch (key) {
    case "n":
      return () => view.step(1);
    case "p":
      return () => view.step(-1);
    case "ArrowDown":
      return () => view.move(1);
    case "ArrowUp":
      return () => view.move(-1);
    case "Enter":
      return onOpen;
    default:
      return null;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select, [role=menu]") !== null)
  );
}

/** Where arrows and Enter mean the rows, and nothing else. */
function isInTree(target: EventTarget | null): boolean {
  if (target === document.body || !(target instanceof HTMLElement)) return true;
  return (
    target.id === "main" || (target.closest("[data-compare-tree]") !== null && target.closest("button, a") === null)
  );
}
