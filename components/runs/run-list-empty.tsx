"use client";

import { Button } from "@mantine/core";
import { IconArchive, IconFilterOff, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import type { RunFilters } from "@/server/runs/list-schema";
import { areSameFilters, NO_FILTERS, quickState, STATUS_FILTERS } from "./run-list-filters";
import { StartRunButton } from "./start-run-button";

/** Nothing to list: because of the filters, or because nothing was ever run. */
export function RunListEmpty({ filters, onClear }: { filters: RunFilters; onClear: () => void }) {
  if (areSameFilters(filters, NO_FILTERS)) return <NoRuns />;
  const showAll = <Button onClick={onClear}>Show all runs</Button>;
  if (areSameFilters(filters, { ...NO_FILTERS, archived: true })) {
    return (
      <EmptyState icon={IconArchive} title="Nothing is archived" action={showAll}>
        Archived runs leave the list and are found here. Nothing of them is removed.
      </EmptyState>
    );
  }
  const state = quickState(filters);
  const isStateAlone = areSameFilters(filters, { ...NO_FILTERS, status: filters.status }) && state !== null;
  const word = STATUS_FILTERS.find(({ value }) => value === state)?.label.toLowerCase();
  const what = state === null || state === "all" ? "run" : `${word} run`;
  return (
    <EmptyState
      icon={IconFilterOff}
      title={filters.search ? `No ${what} matches “${filters.search}”` : isStateAlone ? `No ${what}` : "No run matches"}
      action={showAll}
    >
      {filters.search
        ? filters.rank
          ? "Compared are the tasks and answers of runs that have ended, among the newest 10,000. New ones are added within a few seconds."
          : "The search looks at titles, inputs and answers."
        : isStateAlone
          ? "Runs appear here as soon as they get into this state."
          : "Take one of the filters away to see more."}
    </EmptyState>
  );
}

/** Nothing was ever run, or all of it is archived. */
function NoRuns() {
  const trpc = useTRPC();
  const archived = useQuery(trpc.runs.list.queryOptions({ archived: true, limit: 1 }));
  if (archived.data && archived.data.items.length > 0) {
    return (
      <EmptyState icon={IconArchive} title="Every run is archived" action={<StartRunButton filled={false} />}>
        They are under “Filters”, with “Archived runs instead”.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconPlayerPlay} title="No runs yet" action={<StartRunButton filled={false} />}>
      A run is one task given to a team or an agent. It is listed here from the moment you start it, with every step it
      takes.
    </EmptyState>
  );
}
