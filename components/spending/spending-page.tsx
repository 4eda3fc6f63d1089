"use client";

import "./spending.css";
import { useState } from "react";
import { DownloadMenu } from "@/components/ui/download-menu";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { useAddressFilters } from "@/components/ui/use-address-filters";
import { CallList } from "./call-list";
import { GroupList } from "./group-list";
import { SpendingChips } from "./spending-chips";
import { SpendingFilterBar } from "./spending-filter-bar";
import { NOT_NARROWED, readSpendingFilters, spendingFileHref, spendingHref } from "./spending-filters";
import { SpendingHead } from "./spending-head";
import { SpendingSkeleton } from "./spending-skeleton";
import { SpendingTotals } from "./spending-totals";

/** Calls of models over all runs, together by what they belong to or each by itself (LLM-OBS-01, -08, -09, -10). */
export function SpendingPage() {
  const { filters, shown, setFilters, isBusy } = useAddressFilters({ read: readSpendingFilters, href: spendingHref });
  const [clearings, setClearings] = useState(0);
  const clear = () => {
    setFilters(NOT_NARROWED);
    setClearings(clearings + 1);
  };
  const list = { filters: shown, isBusy, onClear: clear };
  return (
    <div className="page">
      <SpendingHead
        actions={<DownloadMenu href={(format) => spendingFileHref(filters, format)} what="the list below" />}
      />
      <SpendingFilterBar key={clearings} filters={filters} onFilter={setFilters} />
      <SpendingChips filters={filters} onFilter={setFilters} onClear={clear} />
      <LoadBoundary pending={null} failed="The sums could not be made" asked={spendingHref(shown)}>
        <SpendingTotals filters={shown} />
      </LoadBoundary>
      <LoadBoundary
        pending={<SpendingSkeleton />}
        failed="The spending could not be loaded"
        reassurance="Runs are not affected."
        asked={spendingHref(shown)}
      >
        {shown.by === "call" ? <CallList {...list} /> : <GroupList {...list} onFilter={setFilters} />}
      </LoadBoundary>
    </div>
  );
}
