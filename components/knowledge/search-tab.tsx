"use client";

import { Button, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWhyNotEdit } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { ENTRY_KINDS, type EntryKind } from "@/server/knowledge/entry-schema";
import type { BaseDetail, RetrievalSettings, SearchResult } from "@/server/knowledge/schema";
import { EditButton } from "./edit-button";
import { ENTRY_WORDS } from "./entry-words";
import { RetrievalFields } from "./retrieval-fields";
import { sameSettings } from "./retrieval-settings";
import { SearchResults } from "./search-results";

/** A slider that is being moved asks no sooner than this after it came to rest. */
const SETTLE_MS = 250;
/** In the list of kinds; a search without one. */
const ALL = "all";

/** What an agent would be sent for a question, with every score and every rule that dropped a passage. */
export function SearchTab({ base }: { base: BaseDetail }) {
  const [typed, setTyped] = useState("");
  const [query, setQuery] = useState("");
  const [entryKind, setEntryKind] = useState<EntryKind | null>(null);
  const [settings, setSettings] = useState<RetrievalSettings>(base.settings);
  const [settled] = useDebouncedValue(settings, SETTLE_MS);
  const trpc = useTRPC();
  const search = useQuery(
    trpc.knowledge.search.queryOptions(
      { baseIds: [base.id], query, ...(entryKind && { entryKind }), settings: settled },
      { enabled: query !== "", placeholderData: keepPreviousData, staleTime: 0, refetchOnWindowFocus: false },
    ),
  );
  const submit = () => {
    const next = typed.trim();
    if (next === query) void search.refetch();
    else setQuery(next);
  };
  return (
    <div className="play">
      <aside className="play-set scroll" aria-label="Settings of this search">
        <RetrievalFields value={settings} onChange={setSettings} />
        <SaveSettings base={base} settings={settings} onReset={() => setSettings(base.settings)} />
      </aside>
      <div className="play-main">
        <form
          className="play-q"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim()) submit();
          }}
        >
          <TextInput
            className="grow"
            aria-label="Question"
            placeholder="A question, as an agent would look for it"
            maxLength={1000}
            leftSection={<IconSearch size={14} aria-hidden />}
            value={typed}
            data-page-search
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {base.entries > 0 && (
            <Select
              className="doc-filter-kind"
              aria-label="Kind that is searched"
              data={[
                { value: ALL, label: "Everything" },
                ...ENTRY_KINDS.map((value) => ({ value, label: ENTRY_WORDS[value].several })),
              ]}
              value={entryKind ?? ALL}
              onChange={(value) => setEntryKind(ENTRY_KINDS.find((kind) => kind === value) ?? null)}
              allowDeselect={false}
            />
          )}
          <Button type="submit" loading={search.isFetching} disabled={!typed.trim()}>
            Search
          </Button>
        </form>
        <div className="play-out scroll" aria-busy={search.isFetching}>
          <Outcome base={base} query={query} entryKind={entryKind} search={search} settings={settled} />
        </div>
      </div>
    </div>
  );
}

type OutcomeProps = {
  base: BaseDetail;
  query: string;
  entryKind: EntryKind | null;
  search: { data: SearchResult | undefined; error: unknown; isFetching: boolean; refetch: () => unknown };
  settings: RetrievalSettings;
};

function Outcome({ base, query, entryKind, search, settings }: OutcomeProps) {
  if (query === "") {
    return (
      <EmptyState icon={IconSearch} title="See what agents would find">
        {base.chunks === 0
          ? "This base holds no passages yet: upload a document first."
          : "Every passage is shown with its scores, and with the rule that sent it or dropped it. No model is asked."}
      </EmptyState>
    );
  }
  if (search.error) {
    return (
      <ErrorState title="The search failed" onRetry={() => void search.refetch()} retrying={search.isFetching}>
        {errorWords(search.error).sentence} Agents are not affected by this page.
      </ErrorState>
    );
  }
  if (!search.data)
    return <SkeletonRows columns={["4fr", "1fr", "1fr", "1fr", "1fr"]} rowHeight={56} label="Searching" />;
  return <SearchResults base={base} query={query} entryKind={entryKind} result={search.data} settings={settings} />;
}

function SaveSettings({
  base,
  settings,
  onReset,
}: {
  base: BaseDetail;
  settings: RetrievalSettings;
  onReset: () => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const whyNot = useWhyNotEdit();
  const save = useMutation(
    trpc.knowledge.update.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.knowledge.base.queryKey({ baseId: base.id }) }),
    }),
  );
  const isChanged = !sameSettings(settings, base.settings);
  return (
    <div className="col play-save">
      <div className="row">
        <EditButton
          className="grow"
          loading={save.isPending}
          disabled={!isChanged && !whyNot}
          onClick={() => save.mutate({ baseId: base.id, name: base.name, description: base.description, settings })}
        >
          Save for this base
        </EditButton>
        {isChanged && (
          <Button variant="subtle" onClick={onReset}>
            Reset
          </Button>
        )}
      </div>
      <span className="t3 fs12" role="status">
        {whyNot ?? (isChanged ? "Tried here only, until you save them." : "Agents search with these settings.")}
      </span>
      {save.error && (
        <Note tone="bad" role="alert">
          {errorWords(save.error).sentence}
        </Note>
      )}
    </div>
  );
}
