import { LENSES, type Lens } from "@/components/runs/run-rows";

/** What of the run page lives in its URL, so that a link, a reload and a second tab show the same. */
export type RunLocation = {
  /** Key of the selected row; null: the page chooses. */
  selected: string | null;
  tab: string | null;
  lens: Lens;
  /** Phones: the details are open over the tree. */
  sheet: boolean;
};

export function readRunLocation(params: Pick<URLSearchParams, "get">): RunLocation {
  const lens = params.get("show");
  return {
    selected: selectedIn(params),
    tab: params.get("tab"),
    lens: LENSES.find((known) => known === lens) ?? "all",
    sheet: params.get("sheet") === "1",
  };
}

function selectedIn(params: Pick<URLSearchParams, "get">): string | null {
  const decision = params.get("decision");
  if (decision) return `decision:${decision}`;
  const agent = params.get("agent");
  return agent ? `agent:${agent}` : params.get("at");
}

/** The query string for a place, "" when nothing differs from a fresh page. Parameters of others are kept. */
export function writeRunLocation(search: string, change: Partial<RunLocation>): string {
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
  set(params, "show", change.lens === "all" ? null : change.lens);
  set(params, "sheet", change.sheet === undefined ? undefined : change.sheet ? "1" : null);
  const query = params.toString();
  return query ? `?${query}` : "";
}

/** Undefined leaves it as it is, null takes it away. */
function set(params: URLSearchParams, name: string, value: string | null | undefined): void {
  if (value === null) params.delete(name);
  else if (value !== undefined) params.set(name, value);
}
