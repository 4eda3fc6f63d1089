"use client";

import { Select } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { SearchField } from "@/components/ui/search-field";
import { DOCUMENT_FILTERS, type DocumentFilters, KIND_FILTERS } from "./base-location";

const SEARCH_AFTER_MS = 250;

/** Which documents are listed: by state, by kind and by name. */
export function DocumentFilterFields({
  filters,
  hasEntries,
  onChange,
}: {
  filters: DocumentFilters;
  /** Otherwise all there is was uploaded. */
  hasEntries: boolean;
  onChange: (change: Partial<DocumentFilters>) => void;
}) {
  const [typed, setTyped] = useState(filters.search);
  // Cleared elsewhere: the field follows.
  const [known, setKnown] = useState(filters.search);
  if (known !== filters.search) {
    setKnown(filters.search);
    if (filters.search !== typed.trim()) setTyped(filters.search);
  }
  const search = useDebouncedCallback((value: string) => onChange({ search: value.trim() }), SEARCH_AFTER_MS);
  return (
    <search className="row doc-filters">
      {(hasEntries || filters.entryKind !== "all") && (
        <Select
          aria-label="Kind of the documents"
          className="doc-filter-kind"
          data={KIND_FILTERS.map((filter) => ({ ...filter }))}
          value={filters.entryKind}
          onChange={(value) => onChange({ entryKind: KIND_FILTERS.find((filter) => filter.value === value)?.value })}
          allowDeselect={false}
        />
      )}
      <Select
        aria-label="State of the documents"
        className="doc-filter-state"
        data={DOCUMENT_FILTERS.map((filter) => ({ ...filter }))}
        value={filters.status}
        onChange={(value) => onChange({ status: DOCUMENT_FILTERS.find((filter) => filter.value === value)?.value })}
        allowDeselect={false}
      />
      <SearchField
        className="doc-filter-name"
        aria-label="Filter documents"
        placeholder="Filter documents"
        value={typed}
        onType={(value) => {
          setTyped(value);
          search(value);
        }}
      />
    </search>
  );
}
