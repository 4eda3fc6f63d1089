import type { ListDeadLettersInput } from "@/server/dead-letters/schema";

/** What the page reads first. Shared by the server, which reads ahead, and the page, so that both mean the same query. */
export const DEAD_LETTERS_PER_PAGE = 50;

export const STATUS_FILTERS = [
  { value: "open", label: "Open" },
  { value: "replayed", label: "Made again" },
  { value: "acknowledged", label: "Acknowledged" },
  { value: "all", label: "All" },
] as const satisfies readonly { value: ListDeadLettersInput["status"]; label: string }[];

export type DeadLetterFilters = Pick<ListDeadLettersInput, "search" | "operation" | "code"> & {
  status: (typeof STATUS_FILTERS)[number]["value"];
};

/** Filters from the address. Anything unknown in it means "open", so that no link can break the page. */
export function readDeadLetterFilters(get: (name: string) => string | null): DeadLetterFilters {
  return {
    status: STATUS_FILTERS.find((filter) => filter.value === get("status"))?.value ?? "open",
    search: (get("q") ?? "").trim().slice(0, 200),
    operation: (get("operation") ?? "").slice(0, 300),
    code: (get("code") ?? "").slice(0, 60),
  };
}

/** The address of a filtered list; defaults are left out. */
export function deadLettersHref({ status = "open", search = "", operation, code }: Partial<DeadLetterFilters>): string {
  const params = new URLSearchParams();
  if (status !== "open") params.set("status", status);
  if (search) params.set("q", search);
  if (operation) params.set("operation", operation);
  if (code) params.set("code", code);
  const query = params.toString();
  return query ? `/dead-letters?${query}` : "/dead-letters";
}
