import type { z } from "zod";
import type { listDocumentsInput } from "@/server/knowledge/schema";

type StatusFilter = z.infer<typeof listDocumentsInput>["status"];

export const BASE_TABS = [
  { value: "documents", label: "Documents" },
  { value: "search", label: "Try a search" },
  { value: "settings", label: "Settings" },
] as const;
export type BaseTab = (typeof BASE_TABS)[number]["value"];

export const DOCUMENT_FILTERS = [
  { value: "all", label: "All states" },
  { value: "busy", label: "In progress" },
  { value: "failed", label: "Failed" },
  { value: "ready", label: "Ready" },
] as const satisfies readonly { value: StatusFilter; label: string }[];

export type DocumentFilters = { status: StatusFilter; search: string };
/** What of a base's page lives in its address, so that a link, a reload and a second tab show the same. */
export type BaseLocation = DocumentFilters & { tab: BaseTab };

export const DOCUMENTS_PER_PAGE = 100;

export function readBaseLocation(get: (name: string) => string | null): BaseLocation {
  return {
    tab: BASE_TABS.find(({ value }) => value === get("tab"))?.value ?? "documents",
    status: DOCUMENT_FILTERS.find(({ value }) => value === get("status"))?.value ?? "all",
    search: (get("search") ?? "").slice(0, 200),
  };
}

/** The query string, "" for a fresh page. Filters belong to the documents. */
export function writeBaseLocation({ tab, status, search }: BaseLocation): string {
  const params = new URLSearchParams();
  if (tab !== "documents") params.set("tab", tab);
  else {
    if (status !== "all") params.set("status", status);
    if (search) params.set("search", search);
  }
  const query = params.toString();
  return query ? `?${query}` : "";
}
