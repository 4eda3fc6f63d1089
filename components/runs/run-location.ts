import type { Span } from "@/components/runs/run-axis";
import { type RunFilter, readRunFilter, runFilterParams } from "@/components/runs/run-filter";
import { type RunLook, readLook } from "@/components/runs/run-looks";

/** What of the run page lives in its URL, so that a link, a reload and a second tab show the same. */
export type RunLocation = {
  /** Key of the selected row; null: the page chooses. */
  selected: string | null;
  tab: string | null;
  filter: RunFilter;
  /** Phones: the details are open over the tree. */
  sheet: boolean;
  /** How the run is looked at. */
  look: RunLook;
  /** The part of the time axis that is shown, in ms after the run began; null: all of it. */
  zoom: Span | null;
};

export function readRunLocation(params: Pick<URLSearchParams, "get">): RunLocation {
  return {
    selected: selectedIn(params),
    tab: params.get("tab"),
    filter: readRunFilter(params),
    sheet: params.get("sheet") === "1",
    look: readLook(params.get("view")),
    zoom: readZoom(params.get("zoom")),
  };
}

/** "1200-4500"; null for what is no span. */
function readZoom(text: string | null): Span | null {
  const [, from, to] = /^(\d{1,12})-(\d{1,12})$/.exec(text ?? "") ?? [];
  const span = { fromMs: Number(from), toMs: Number(to) };
  return span.toMs > span.fromMs ? span : null;
}

function selectedIn(params: Pick<URLSearchParams, "get">): string | null {
  const decision = params.get("decision");
  if (decision) return `decision:${decision}`;
  const agent = params.get("agent");
  return agent ? `agent:${agent}` : params.get("at");
}

/** What is to be changed of a place; of its filter, too, what is not named stays. */
export type RunLocationChange = Partial<Omit<RunLocation, "filter">> & { filter?: Partial<RunFilter> };

/** The query string for a place, "" when nothing differs from a fresh page. Parameters of others are kept. */
export function writeRunLocation(search: string, change: RunLocationChange): string {
  const params = new URLSearchParams(search);
  if (change.selected !== undefined) {
    for (const name of ["at", "decision", "agent"]) params.delete(name);
    if (change.selected !== null) {
      const [kind, id] = change.selected.split(":");
      if (id && (kind === "agent" || kind === "decision")) params.set(kind, id);
      else params.set("at", change.selected);
    }
  }
  set(params, "tab", change.tab);
  for (const [name, value] of Object.entries(runFilterParams(change.filter ?? {}))) set(params, name, value);
  set(params, "sheet", change.sheet === undefined ? undefined : change.sheet ? "1" : null);
  set(params, "view", change.look === undefined ? undefined : change.look === "steps" ? null : change.look);
  set(params, "zoom", change.zoom && `${change.zoom.fromMs}-${change.zoom.toMs}`);
  const query = params.toString();
  return query ? `?${query}` : "";
}

/** Undefined leaves it as it is, null takes it away. */
function set(params: URLSearchParams, name: string, value: string | null | undefined): void {
  if (value === null) params.delete(name);
  else if (value !== undefined) params.set(name, value);
}
