import { addressFilters } from "@/components/ui/address-filters";
import { type Dimension, NARROWING, type SpendingFilters, spendingFilters } from "@/server/spending/schema";

/** What the page reads first. Shared by the server, which reads ahead, and the page, so that both mean the same query. */
export const SPENDING_PER_PAGE = 50;

const address = addressFilters<SpendingFilters>({
  schema: spendingFilters,
  path: "/spending",
  names: {
    ...{ period: "period", from: "from", to: "to", by: "by", sort: "sort" },
    ...{ agent: "agent", team: "team", conversation: "conversation", run: "run" },
    ...{ provider: "provider", model: "model", tools: "tools" },
    ...{ end: "end", slower: "slower", dearer: "cost" },
  },
});

export const NO_FILTERS = address.none;
export const readSpendingFilters = address.read;
export const spendingHref = address.href;

/** The list of these filters as a file. */
export const spendingFileHref = (filters: SpendingFilters, format: "csv" | "json") =>
  address.download("/api/spending/list", filters, { format });

/** What narrows the list, beside its period and how it is grouped. */
export const NARROWED_BY = [...NARROWING, "end", "slower", "dearer"] as const;
export const NOT_NARROWED: Partial<SpendingFilters> = Object.fromEntries(NARROWED_BY.map((field) => [field, ""]));

/** What the sums of a list are asked by: the same however it is grouped and sorted. */
export const ofAnyOrder = (filters: SpendingFilters): SpendingFilters => ({ ...filters, by: "", sort: "" });

/** The filters of the calls behind a group. */
export function callsBehind(filters: SpendingFilters, dimension: Dimension, key: string): SpendingFilters {
  const calls = { ...filters, by: "call", sort: "" } as const;
  return dimension === "day" ? { ...calls, period: "custom", from: key, to: key } : { ...calls, [dimension]: key };
}
