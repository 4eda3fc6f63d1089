import type { z } from "zod";
import { ENTRY_KINDS } from "@/server/knowledge/entry-schema";
import type { listDocumentsInput } from "@/server/knowledge/schema";
import { ENTRY_WORDS } from "./entry-words";

type StatusFilter = z.infer<typeof listDocumentsInput>["status"];
type KindFilter = z.infer<typeof listDocumentsInput>["entryKind"];

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

/** Documents by what they are: of all, those that were written here, and these by their kind. */
export const KIND_FILTERS: readonly { value: KindFilter; label: string }[] = [
  { value: "all", label: "All documents" },
  { value: "entry", label: "All entries" },
  ...ENTRY_KINDS.map((value) => ({ value, label: ENTRY_WORDS[value].several })),
];

export type DocumentFilters = { status: StatusFilter; entryKind: KindFilter; search: string };
export const NO_FILTERS: DocumentFilters = { status: "all", entryKind: "all", search: "" };
/** What of a base's page lives in its address, so that a link, a reload and a second tab show the same. */
export type BaseLocation = DocumentFilters & { tab: BaseTab };

export const DOCUMENTS_PER_PAGE = 100;

export function readBaseLocation(get: (name: string) => string | null): BaseLocation {
  return {
    tab: BASE_TABS.find(({ value }) => value === get("tab"))?.value ?? "documents",
    status: DOCUMENT_FILTERS.find(({ value }) => value === get("status"))?.value ?? "all",
    entryKind: KIND_FILTERS.find(({ value }) => value === get("kind"))?.value ?? "all",
    search: (get("search") ?? "").slice(0, 200),
  };
}

/** The query string, "" for a fresh page. Filters belong to the documents. */
export function writeBaseLocation({ tab, status, entryKind, search }: BaseLocation): string {
  const params = new URLSearchParams();
  if (tab !== "documents") params.set("tab", tab);
  else {
    if (status !== "all") params.set("status", status);
    if (entryKind !== "all") params.set("kind", entryKind);
    if (search) params.set("search", search);
  }
  const query = params.toString();
  return query ? `?${query}` : "";
}
