import { addressFilters } from "@/components/ui/address-filters";
import { type DecisionFilters, decisionFilters } from "@/server/decisions/schema";

/** What the page reads first. Shared by the server, which reads ahead, and the page, so that both mean the same query. */
export const DECISIONS_PER_PAGE = 50;

const address = addressFilters<DecisionFilters>({
  schema: decisionFilters,
  path: "/decisions",
  names: {
    search: "q",
    kind: "kind",
    source: "source",
    outcome: "outcome",
    label: "label",
    agent: "agent",
    version: "version",
    team: "team",
    conversation: "conversation",
    about: "about",
    option: "option",
    from: "from",
    to: "to",
    rank: "rank",
  },
});

export const NO_FILTERS = address.none;
export const readDecisionFilters = address.read;
export const decisionsHref = address.href;

/** Where the labelled ones of a filtered list are downloaded. */
export const labelledHref = (filters: DecisionFilters) => address.download("/api/decisions/labelled", filters);

/** The decisions of these filters as a file. */
export const listFileHref = (filters: DecisionFilters, format: "csv" | "json") =>
  address.download("/api/decisions/list", filters, { format });

/** Where a run opens at a decision. */
export function decisionPlace({ id, runId }: { id: string; runId: string }): string {
  return `/runs/${runId}?decision=${id}&tab=decision`;
}
