"use client";

import "./decisions.css";
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useDeferredValue, useState } from "react";
import { DownloadMenu } from "@/components/ui/download-menu";
import { formatCount } from "@/components/ui/format";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { MOST_EXPORTED } from "@/server/decisions/schema";
import { DecisionFilterBar } from "./decision-filter-bar";
import { decisionsHref, labelledHref, listFileHref, NO_FILTERS, readDecisionFilters } from "./decision-filters";
import { DecisionList } from "./decision-list";
import { DecisionsHead } from "./decisions-head";
import { DecisionsSkeleton } from "./decisions-skeleton";
import { OutcomeChart } from "./outcome-chart";
import { useDecisionFilters } from "./use-decision-filters";

/** Every decision of the workspace, newest first (INT-CTX-08). */
export function DecisionsPage() {
  const [filters, setFilters] = useDecisionFilters();
  // The list stays until the next one is there.
  const shownAt = useDeferredValue(decisionsHref(filters));
  const shown = readDecisionFilters((name) => new URL(shownAt, "http://here").searchParams.get(name));
  const [clearings, setClearings] = useState(0);
  const clear = () => {
    setFilters(NO_FILTERS);
    setClearings(clearings + 1);
  };
  return (
    <div className="page">
      <DecisionsHead
        actions={
          <>
            <DownloadMenu href={(format) => listFileHref(filters, format)} what="the decisions of this filter" />
            <Button
              component="a"
              href={labelledHref(filters)}
              download
              leftSection={<IconDownload size={15} aria-hidden />}
              title={`The labelled decisions of this filter, one a line (JSON), the newest ${formatCount(MOST_EXPORTED)} at most`}
            >
              Export labelled
            </Button>
          </>
        }
      />
      {/* Made anew when the filters are cleared, so that what was typed goes with them. */}
      <DecisionFilterBar key={clearings} filters={filters} onFilter={setFilters} />
      <LoadBoundary pending={null} failed="The outcomes could not be counted">
        <OutcomeChart filters={shown} onFilter={setFilters} />
      </LoadBoundary>
      <LoadBoundary pending={<DecisionsSkeleton />} failed="The decisions could not be loaded">
        <DecisionList filters={shown} onFilter={setFilters} onClear={clear} />
      </LoadBoundary>
    </div>
  );
}
