"use client";

import { useWindowEvent } from "@mantine/hooks";
import { offeredCommand } from "@/components/runs/run-commands";
import { isFiltering } from "@/components/runs/run-filter";
import { lookBeside } from "@/components/runs/run-looks";
import { agentKey } from "@/components/runs/run-nodes";
import { pathTo } from "@/components/runs/run-places";
import { liveEdge } from "@/components/runs/run-rows";
import type { RunView } from "@/components/runs/use-run-view";
import type { RunZoom } from "@/components/runs/use-run-zoom";

type Options = {
  view: RunView;
  zoom: RunZoom;
  tabs: readonly string[];
  onToggleInspector: () => void;
  onNeighbour: (which: "older" | "newer") => void;
};

/** The run page's keys. Silent inside fields, dialogs and menus; arrows only move where nothing else wants them. */
export function useRunKeys(options: Options): void {
  useWindowEvent("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isBusyElsewhere(event.target))
      return;
    const act = actionOf(event, options);
    if (!act || (event.key.startsWith("Arrow") && !isInTree(event.target))) return;
    if (event.key === " " && (!isInTree(event.target) || isPressable(event.target))) return;
    event.preventDefault();
    act();
  });
}

function actionOf({ key, shiftKey }: KeyboardEvent, options: Options): (() => void) | null {
  const { view } = options;
  if (key === "v" || key === "b") return () => view.go({ look: lookBeside(view.look, key === "v" ? 1 : -1) });
  if (key === "i") return options.onToggleInspector;
  if (key === "j" || key === "k") return () => options.onNeighbour(key === "j" ? "older" : "newer");
  if (key === " ") return offeredCommand("pause", "resume");
  if (key === "c") return offeredCommand("stop");
  if (key === "r") return offeredCommand("again");
  if (key === "y") return offeredCommand("retry");
  const tab = /^[1-9]$/.test(key) ? options.tabs[Number(key) - 1] : undefined;
  if (tab) return () => view.go({ tab });
  // What is left is about rows, which only that view has.
  return view.look === "steps" ? (zoomOf(shiftKey ? `Shift+${key}` : key, options) ?? rowActionOf(key, view)) : null;
}

function zoomOf(key: string, { zoom, view }: Options): (() => void) | null {
  switch (key) {
    case "z":
      return () => zoom.toRow(view.selected);
    case "+":
    case "Shift++":
    case "=":
      return () => zoom.by(0.5);
    case "-":
      return zoom.isZoomed ? () => zoom.by(2) : null;
    case "Shift+ArrowLeft":
    case "Shift+ArrowRight":
      return zoom.isZoomed ? () => zoom.move(key === "Shift+ArrowLeft" ? -0.5 : 0.5) : null;
    case "Escape":
      return zoom.isZoomed ? zoom.reset : null;
    default:
      return null;
  }
}

function rowActionOf(key: string, view: RunView): (() => void) | null {
  const at = view.rows.findIndex((row) => row.node.key === view.selected);
  const row = view.rows[at];
  const pick = (target: string | null | undefined) => (target ? () => view.select(target) : null);
  const parent = view.selected === null ? null : view.places.get(view.selected)?.parent?.key;
  const lens = (wanted: "decisions" | "failed") => () =>
    view.go({ filter: { lens: view.filter.lens === wanted ? "all" : wanted } });
  switch (key) {
    case "ArrowDown":
      return pick(view.rows[at + 1]?.node.key);
    case "ArrowUp":
      return pick(view.rows[Math.max(0, at - 1)]?.node.key);
    case "Home":
      return pick(view.rows[0]?.node.key);
    case "End":
      return pick(view.rows.at(-1)?.node.key);
    case "ArrowLeft":
      return row && row.childCount > 0 && row.unfolded && !isFiltering(view.filter)
        ? () => view.toggle(row.node.key)
        : pick(parent);
    case "ArrowRight":
      return row && row.childCount > 0 && !row.unfolded
        ? () => view.toggle(row.node.key)
        : pick(view.rows[at + 1]?.node.key);
    case "e":
      return view.unfoldAll;
    case "w":
      return view.foldToAgents;
    case "t":
      return pick(view.nodes[0]?.key);
    case "p":
      return pick(parent);
    case "[":
    case "]":
      return pick(agentBeside(view, key === "]" ? 1 : -1));
    case ".":
      return pick(liveEdge(view.nodes));
    case "d":
      return lens("decisions");
    case "f":
      return lens("failed");
    case "a":
      return focusRequest(view);
    default:
      return null;
  }
}

/** The agent run before or after that of the selected row, among those one agent run started. */
function agentBeside({ places, index, selected }: RunView, by: 1 | -1): string | undefined {
  if (selected === null) return undefined;
  const node = places.get(selected)?.node;
  const own = [...pathTo(places, selected), ...(node ? [node] : [])].findLast(({ item }) => item.type === "agent");
  if (own?.item.type !== "agent") return undefined;
  const { id, parentId } = own.item.agent;
  const siblings = index.rows.agents.filter((agent) => agent.parentId === parentId);
  const beside = siblings[siblings.findIndex((agent) => agent.id === id) + by];
  return beside && agentKey(beside.id);
}

/** Answering stays a deliberate press: the key only takes the reader to the selected request's first control. */
function focusRequest({ places, selected }: RunView): (() => void) | null {
  const item = selected === null ? undefined : places.get(selected)?.node.item;
  if (item?.type !== "step" || item.request?.status !== "open") return null;
  const { id } = item.request;
  return () => {
    const card = document.querySelector(`[data-request="${id}"]`);
    card?.querySelector<HTMLElement>("button:not(:disabled), input, textarea")?.focus();
  };
}

function isBusyElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select, [role=dialog], [role=menu]") !== null)
  );
}

/** Space presses it. */
const isPressable = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("button, a, summary, [role=tab]") !== null;

function isInTree(target: EventTarget | null): boolean {
  if (target === document.body || !(target instanceof HTMLElement)) return true;
  return (
    target.id === "main" || (target.closest("[data-run-tree]") !== null && target.closest("[data-request]") === null)
  );
}
