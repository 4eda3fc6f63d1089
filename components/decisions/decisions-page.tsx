"use client";

import "./decisions.css";
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { MissingNote } from "@/components/finding/missing-note";
import { DownloadMenu } from "@/components/ui/download-menu";
import { formatCount } from "@/components/ui/format";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { useAddressFilters } from "@/components/ui/use-address-filters";
import { MOST_EXPORTED } from "@/server/decisions/schema";
import { DecisionFilterBar } from "./decision-filter-bar";
import { decisionsHref, labelledHref, listFileHref, NO_FILTERS, readDecisionFilters } from "./decision-filters";
import { DecisionList } from "./decision-list";
import { DecisionsHead } from "./decisions-head";
import { DecisionsSkeleton } from "./decisions-skeleton";
import { OutcomeChart } from "./outcome-chart";

/** Every decision of the workspace, newest first (INT-CTX-08). */
export function DecisionsPage() {
  const { filters, shown, setFilters } = useAddressFilters({ read: readDecisionFilters, href: decisionsHref });
  const [clearings, setClearings] = useState(0);
  const clear = () => {
    setFilters(NO_FILTERS);
    setClearings(clearings + 1);
  };
  const isRanked = shown.rank !== "" && shown.search !== "";
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
      {/* Of a list by likeness or meaning there is no "all of it" to count. */}
      {!isRanked && (
        <LoadBoundary pending={null} failed="The outcomes could not be counted">
          <OutcomeChart filters={shown} onFilter={setFilters} />
        </LoadBoundary>
      )}
      {isRanked && <MissingNote noun="decision" />}
      <LoadBoundary
        pending={<DecisionsSkeleton />}
        failed="The decisions could not be loaded"
        asked={decisionsHref(shown)}
        otherwise={isRanked && <Button onClick={() => setFilters({ rank: "" })}>Search by words</Button>}
      >
        <DecisionList filters={shown} onFilter={setFilters} onClear={clear} />
      </LoadBoundary>
    </div>
  );
}
