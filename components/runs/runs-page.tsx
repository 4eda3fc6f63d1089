"use client";

import "./run-list.css";
import { SegmentedControl, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useDeferredValue, useState } from "react";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { PageHead } from "@/components/ui/page-head";
import { RunList } from "./run-list";
import { type RunFilters, runFiltersToQuery, STATUS_FILTERS } from "./run-list-filters";
import { RunListSkeleton } from "./run-list-skeleton";
import { StartRunButton } from "./start-run-button";
import { useRunFilters } from "./use-run-filters";

const SEARCH_AFTER_MS = 250;

/** Every run of the workspace, newest first. */
export function RunsPage() {
  const [filters, setFilters] = useRunFilters();
  // The list stays until the next one is there.
  const shown = useDeferredFilters(filters);
  const [typed, setTyped] = useState(filters.search);
  const search = useDebouncedCallback((value: string) => setFilters({ search: value.trim() }), SEARCH_AFTER_MS);
  const clear = () => {
    setTyped("");
    setFilters({ status: "all", search: "" });
  };
  return (
    <div className="page runs-page">
      <PageHead title="Runs" actions={<StartRunButton />} />
      <search className="filterbar">
        <SegmentedControl
          aria-label="State"
          data={STATUS_FILTERS.map((filter) => ({ ...filter }))}
          value={filters.status}
          onChange={(value) => setFilters({ status: STATUS_FILTERS.find((filter) => filter.value === value)?.value })}
        />
        <TextInput
          className="runs-search"
          aria-label="Search runs"
          placeholder="Search title and input"
          type="search"
          maxLength={200}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={typed}
          data-page-search
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            search(event.currentTarget.value);
          }}
        />
      </search>
      <LoadBoundary
        pending={<RunListSkeleton />}
        failed="The runs could not be loaded"
        reassurance="They are not affected: they go on in the background."
      >
        <RunList filters={shown} busy={runFiltersToQuery(shown) !== runFiltersToQuery(filters)} onClear={clear} />
      </LoadBoundary>
    </div>
  );
}

/** Deferred by parts: the object is a new one on every render. */
function useDeferredFilters({ status, search }: RunFilters): RunFilters {
  return { status: useDeferredValue(status), search: useDeferredValue(search) };
}
