import type { ListRunsInput } from "@/server/runs/schema";

export const RUNS_PER_PAGE = 50;

export const STATUS_FILTERS = [
  { value: "all", label: "All" },
  { value: "active", label: "Active" },
  { value: "waiting", label: "Waiting" },
  { value: "failed", label: "Failed" },
  { value: "finished", label: "Finished" },
] as const satisfies readonly { value: ListRunsInput["status"]; label: string }[];

export type RunFilters = Pick<ListRunsInput, "status" | "search">;

/** Filters from the address. Anything unknown in it means "all", so that no link can break the page. */
export function readRunFilters(get: (name: string) => string | null): RunFilters {
  const status = STATUS_FILTERS.find((filter) => filter.value === get("status"))?.value ?? "all";
  return { status, search: (get("q") ?? "").trim().slice(0, 200) };
}

/** The address of a filtered list; defaults are left out. */
export function runFiltersToQuery({ status, search }: RunFilters): string {
  const params = new URLSearchParams();
  if (status !== "all") params.set("status", status);
  if (search) params.set("q", search);
  const query = params.toString();
  return query ? `?${query}` : "";
}
