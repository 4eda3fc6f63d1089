import { type DecisionFilters, decisionFilters } from "@/server/decisions/schema";

/** What the page reads first. Shared by the server, which reads ahead, and the page, so that both mean the same query. */
export const DECISIONS_PER_PAGE = 50;

/** Names in the address; `q` as on every list. */
const NAMES = {
  search: "q",
  kind: "kind",
  source: "source",
  outcome: "outcome",
  label: "label",
  agent: "agent",
  team: "team",
  option: "option",
  from: "from",
  to: "to",
} as const satisfies Record<keyof DecisionFilters, string>;
const FIELDS = Object.keys(NAMES) as (keyof DecisionFilters)[];

export const NO_FILTERS: DecisionFilters = decisionFilters.parse({});

/** Filters from the address. Anything unknown in it is left out, so that no link can break the page. */
export function readDecisionFilters(get: (name: string) => string | null): DecisionFilters {
  const known = FIELDS.flatMap((field) => {
    const text = get(NAMES[field])?.trim();
    const value = field === "search" ? text?.slice(0, 200) : text;
    return value && decisionFilters.shape[field].safeParse(value).success ? [[field, value]] : [];
  });
  return decisionFilters.parse(Object.fromEntries(known));
}

/** The address of a filtered list; what filters nothing is left out. */
export function decisionsHref(filters: Partial<DecisionFilters>): string {
  const params = new URLSearchParams();
  for (const field of FIELDS) if (filters[field]) params.set(NAMES[field], filters[field]);
  const query = params.toString();
  return query ? `/decisions?${query}` : "/decisions";
}

/** Where the labelled ones of a filtered list are downloaded. */
export function labelledHref(filters: DecisionFilters): string {
  const query = queryOf(filters).toString();
  return `/api/decisions/labelled${query ? `?${query}` : ""}`;
}

/** The decisions of these filters as a file. */
export function listFileHref(filters: DecisionFilters, format: "csv" | "json"): string {
  const query = queryOf(filters);
  query.set("format", format);
  return `/api/decisions/list?${query}`;
}

function queryOf(filters: DecisionFilters): URLSearchParams {
  return new URLSearchParams(
    FIELDS.flatMap((field): [string, string][] => (filters[field] ? [[field, filters[field]]] : [])),
  );
}

/** Where a run opens at a decision. */
export function decisionPlace({ id, runId }: { id: string; runId: string }): string {
  return `/runs/${runId}?decision=${id}&tab=decision`;
}
