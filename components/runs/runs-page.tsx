"use client";

import { SearchField } from "@/components/ui/search-field";
import "./run-list.css";
import { Button, SegmentedControl } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { MissingNote } from "@/components/finding/missing-note";
import { useMeaningModel } from "@/components/finding/use-finding";
import { useTRPC } from "@/components/trpc/client";
import { FilterChips } from "@/components/ui/filter-chips";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { PageHead } from "@/components/ui/page-head";
import { RankSwitch } from "@/components/ui/rank-switch";
import type { ConversationChoices } from "@/server/conversations/schema";
import type { RunChoices, RunFilters } from "@/server/runs/list-schema";
import { EverythingMenu } from "./everything-menu";
import { EverythingPaused } from "./everything-paused";
import { RunFiltersButton } from "./run-filters-button";
import { RunList } from "./run-list";
import {
  filterChips,
  NO_FILTERS,
  quickState,
  readRunFilters,
  runFiltersToQuery,
  STATUS_FILTERS,
} from "./run-list-filters";
import { RunListSkeleton } from "./run-list-skeleton";
import { targetKey } from "./run-targets";
import { RunViews } from "./run-views";
import { RunsMore } from "./runs-more";
import { StartRunButton } from "./start-run-button";
import { useRunFilters } from "./use-run-filters";

const SEARCH_AFTER_MS = 250;

/** Every run of the workspace, newest first. */
export function RunsPage() {
  const { filters, viewId, setFilters, openView } = useRunFilters();
  // The list stays until the next one is there.
  const shown = useDeferredFilters(filters);
  const [typed, setTyped] = useState(filters.search);
  const search = useDebouncedCallback((value: string) => setFilters({ search: value.trim() }), SEARCH_AFTER_MS);
  const [choices, readChoices] = useChoices(filters);
  const meaningModel = useMeaningModel();
  const isRanked = shown.rank !== "" && shown.search !== "";
  const conversations = useChosenConversation(filters);
  const chips = filterChips(filters, (key) =>
    key === filters.conversation ? titleOf(conversations, key) : nameOf(choices, key),
  );
  const open = (view: { id: string; filters: RunFilters } | null) => {
    setTyped(view?.filters.search ?? "");
    openView(view, NO_FILTERS);
  };
  return (
    <div className="page runs-page">
      <PageHead
        title="Runs"
        actions={
          <>
            <RunsMore filters={filters} />
            <EverythingMenu />
            <StartRunButton />
          </>
        }
      />
      <EverythingPaused />
      <LoadBoundary pending={null} failed={null}>
        <RunViews filters={filters} viewId={viewId} onOpen={open} />
      </LoadBoundary>
      <search className="filterbar">
        <SegmentedControl
          aria-label="State"
          data={STATUS_FILTERS.map((filter) => ({ ...filter }))}
          value={quickState(filters) ?? ""}
          onChange={(chosen) => {
            const state = STATUS_FILTERS.find(({ value }) => value === chosen)?.value ?? "all";
            setFilters({ status: state === "all" ? [] : [state] });
          }}
        />
        <SearchField
          className="runs-search"
          aria-label="Search runs"
          placeholder="Search title, input and answer"
          value={typed}
          onType={(value) => {
            setTyped(value);
            search(value);
          }}
        />
        <RankSwitch
          value={filters.rank}
          onChange={(rank) => setFilters({ rank })}
          meaningModel={meaningModel}
          comparedWith="the task and the answer of each run that has ended"
        />
        <RunFiltersButton
          filters={filters}
          chips={chips}
          choices={choices}
          onChange={setFilters}
          onOpen={readChoices}
        />
      </search>
      <FilterChips
        chips={chips}
        onChange={setFilters}
        onClear={() => setFilters({ ...NO_FILTERS, search: filters.search, rank: filters.rank })}
      />
      {isRanked && <MissingNote noun="run" />}
      <LoadBoundary
        pending={<RunListSkeleton />}
        failed="The runs could not be loaded"
        reassurance="They are not affected: they go on in the background."
        asked={runFiltersToQuery(shown)}
        otherwise={isRanked && <Button onClick={() => setFilters({ rank: "" })}>Search by words</Button>}
      >
        <RunList
          filters={shown}
          busy={runFiltersToQuery(shown) !== runFiltersToQuery(filters)}
          onClear={() => open(null)}
        />
      </LoadBoundary>
    </div>
  );
}

/** Deferred by its words: the object is a new one on every render. */
function useDeferredFilters(filters: RunFilters): RunFilters {
  const query = useDeferredValue(runFiltersToQuery(filters));
  return useMemo(() => readRunFilters(new URLSearchParams(query)), [query]);
}

/** What can be chosen: read once somebody looks, or where what is chosen has a name. */
function useChoices({ targets, startedBy }: RunFilters): [RunChoices | undefined, () => void] {
  const trpc = useTRPC();
  const [isWanted, setIsWanted] = useState(false);
  const { data } = useQuery({
    ...trpc.runs.choices.queryOptions(),
    enabled: isWanted || targets.length + startedBy.length > 0,
  });
  return [data, () => setIsWanted(true)];
}

/** Read where one is chosen: its title stands among the filters that are set. */
function useChosenConversation({ conversation }: RunFilters): ConversationChoices | undefined {
  const trpc = useTRPC();
  const { data } = useQuery({
    ...trpc.conversations.choices.queryOptions({ chosen: conversation }),
    enabled: conversation !== null,
  });
  return data;
}

function titleOf(conversations: ConversationChoices | undefined, chosen: string): string {
  return conversations?.items.find(({ id }) => id === chosen)?.title ?? (conversations ? "unknown" : "…");
}

function nameOf(choices: RunChoices | undefined, key: string): string {
  const found =
    choices?.targets.find((target) => targetKey(target) === key) ?? choices?.people.find(({ id }) => id === key);
  // Of a link from elsewhere: nothing here goes by it.
  return found?.name ?? (choices ? "unknown" : "…");
}
