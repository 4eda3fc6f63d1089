"use client";

import { SearchField } from "@/components/ui/search-field";
import "./dead-letters.css";
import { SegmentedControl } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconX } from "@tabler/icons-react";
import { useDeferredValue, useState } from "react";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { type DeadLetterFilters, STATUS_FILTERS } from "./dead-letter-filters";
import { DeadLetterList } from "./dead-letter-list";
import { DeadLettersHead } from "./dead-letters-head";
import { DeadLettersSkeleton } from "./dead-letters-skeleton";
import { useDeadLetterFilters } from "./use-dead-letter-filters";

const SEARCH_AFTER_MS = 250;

/** Calls that failed for good, for people to look at (AGT-RES-14). */
export function DeadLettersPage() {
  const [filters, setFilters] = useDeadLetterFilters();
  // The list stays until the next one is there.
  const shown = useDeferredFilters(filters);
  const [typed, setTyped] = useState(filters.search);
  const search = useDebouncedCallback((value: string) => setFilters({ search: value.trim() }), SEARCH_AFTER_MS);
  const clear = () => {
    setTyped("");
    setFilters({ search: "", operation: "", code: "" });
  };
  return (
    <div className="page">
      <DeadLettersHead />
      <search className="filterbar">
        <SegmentedControl
          aria-label="Which dead letters to show"
          data={[...STATUS_FILTERS]}
          value={filters.status}
          onChange={(next) => setFilters({ status: STATUS_FILTERS.find(({ value }) => value === next)?.value })}
        />
        <SearchField
          className="list-search"
          aria-label="Search dead letters"
          placeholder="Search messages and arguments"
          value={typed}
          onType={(value) => {
            setTyped(value);
            search(value);
          }}
        />
        {filters.operation && (
          <Only what="model or tool" value={filters.operation} onClear={() => setFilters({ operation: "" })} />
        )}
        {filters.code && <Only what="code" value={filters.code} onClear={() => setFilters({ code: "" })} />}
      </search>
      <LoadBoundary pending={<DeadLettersSkeleton />} failed="The dead letters could not be loaded">
        <DeadLetterList filters={shown} onFilter={setFilters} onClear={clear} />
      </LoadBoundary>
    </div>
  );
}

/** A filter chosen in a row of the list, or by a link; a press takes it away. */
function Only({ what, value, onClear }: { what: string; value: string; onClear: () => void }) {
  return (
    <button type="button" className="dead-letter-only" onClick={onClear} title={`Show every ${what} again`}>
      <span className="sr">Only this {what}:</span>
      <span className="ell">{value}</span>
      <IconX size={13} aria-hidden />
      <span className="sr">. Show every {what} again</span>
    </button>
  );
}

/** Deferred by parts: the object is a new one on every render. */
function useDeferredFilters({ status, search, operation, code }: DeadLetterFilters): DeadLetterFilters {
  return {
    ...{ status: useDeferredValue(status), search: useDeferredValue(search) },
    ...{ operation: useDeferredValue(operation), code: useDeferredValue(code) },
  };
}
