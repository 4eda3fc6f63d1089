"use client";

import { Button } from "@mantine/core";
import { IconFilterOff, IconPlayerPlay } from "@tabler/icons-react";
import { EmptyState } from "@/components/ui/empty-state";
import { type RunFilters, STATUS_FILTERS } from "./run-list-filters";
import { StartRunButton } from "./start-run-button";

/** Nothing to list: because of the filters, or because nothing was ever run. */
export function RunListEmpty({ filters, onClear }: { filters: RunFilters; onClear: () => void }) {
  if (filters.status === "all" && !filters.search) {
    return (
      <EmptyState icon={IconPlayerPlay} title="No runs yet" action={<StartRunButton filled={false} />}>
        A run is one task given to a team. It is listed here from the moment you start it, with every step it takes.
      </EmptyState>
    );
  }
  const state = STATUS_FILTERS.find((filter) => filter.value === filters.status)?.label.toLowerCase();
  const what = filters.status === "all" ? "run" : `${state} run`;
  return (
    <EmptyState
      icon={IconFilterOff}
      title={filters.search ? `No ${what} matches “${filters.search}”` : `No ${what}`}
      action={<Button onClick={onClear}>Show all runs</Button>}
    >
      {filters.search
        ? "The search looks at titles and inputs."
        : "Runs appear here as soon as they get into this state."}
    </EmptyState>
  );
}
