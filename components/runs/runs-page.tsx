"use client";

import "./run-list.css";
import { SegmentedControl, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { PageHead } from "@/components/ui/page-head";
import { RunList } from "./run-list";
import { STATUS_FILTERS } from "./run-list-filters";
import { StartRunButton } from "./start-run-button";
import { useRunFilters } from "./use-run-filters";

const SEARCH_AFTER_MS = 250;

/** Every run of the workspace, newest first. */
export function RunsPage() {
  const [filters, setFilters] = useRunFilters();
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
      <RunList filters={filters} onClear={clear} />
    </div>
  );
}
