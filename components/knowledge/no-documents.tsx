import { Button } from "@mantine/core";
import { IconFileUpload, IconFilterOff } from "@tabler/icons-react";
import { EmptyState } from "@/components/ui/empty-state";
import { DOCUMENT_FILTERS, type DocumentFilters } from "./base-location";
import { ENTRY_WORDS } from "./entry-words";

type Props = { filters: DocumentFilters; onClear: () => void };

/** Why nothing is listed: nothing is there, or nothing is of what is asked for. */
export function NoDocuments({ filters, onClear }: Props) {
  const { status, entryKind, search } = filters;
  if (status === "all" && entryKind === "all" && !search) {
    return (
      <EmptyState icon={IconFileUpload} title="No documents yet">
        Each file is read, split into passages and indexed in the background, and so is what you write here. Agents find
        a passage as soon as its document is ready.
      </EmptyState>
    );
  }
  const state = DOCUMENT_FILTERS.find(({ value }) => value === status)?.label.toLowerCase();
  const { one, several } = wordsOf(entryKind);
  return (
    <EmptyState
      icon={IconFilterOff}
      title={search ? `No ${one} matches “${search}”` : status === "all" ? `No ${one} yet` : `No ${one} is ${state}`}
      action={<Button onClick={onClear}>Show all documents</Button>}
    >
      {search && (status !== "all" || entryKind !== "all")
        ? `Only ${several}${status === "all" ? "" : ` that are ${state}`} were looked at.`
        : meaningOf(entryKind)}
    </EmptyState>
  );
}

function wordsOf(kind: DocumentFilters["entryKind"]): { one: string; several: string } {
  if (kind === "all") return { one: "document", several: "documents" };
  if (kind === "entry") return { one: "entry", several: "entries" };
  const { word, several } = ENTRY_WORDS[kind];
  return { one: word.toLowerCase(), several: several.toLowerCase() };
}

function meaningOf(kind: DocumentFilters["entryKind"]): string | null {
  if (kind === "all") return null;
  return kind === "entry"
    ? "An entry is written here, of one kind that agents can search for."
    : ENTRY_WORDS[kind].means;
}
