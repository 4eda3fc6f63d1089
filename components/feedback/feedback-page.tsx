"use client";

import "./feedback.css";
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { formatCount } from "@/components/ui/format";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { useAddressFilters } from "@/components/ui/use-address-filters";
import { MOST_EXPORTED } from "@/server/feedback/schema";
import { FeedbackFilterBar } from "./feedback-filter-bar";
import { exportHref, feedbackHref, NO_FILTERS, readFeedbackFilters } from "./feedback-filters";
import { FeedbackHead } from "./feedback-head";
import { FeedbackList } from "./feedback-list";
import { FeedbackSkeleton } from "./feedback-skeleton";

/** What people say of answers across runs, newest first (INT-LEARN-05). */
export function FeedbackPage() {
  const { filters, shown, setFilters, isBusy } = useAddressFilters({ read: readFeedbackFilters, href: feedbackHref });
  const [clearings, setClearings] = useState(0);
  const clear = () => {
    setFilters(NO_FILTERS);
    setClearings(clearings + 1);
  };
  return (
    <div className="page">
      <FeedbackHead
        actions={
          <Button
            component="a"
            href={exportHref(filters)}
            download
            leftSection={<IconDownload size={15} aria-hidden />}
            title={`The entries of this filter with question and answer, one a line (JSON), the newest ${formatCount(MOST_EXPORTED)} at most`}
          >
            Export
          </Button>
        }
      />
      {/* Made anew when the filters are cleared, so that what was typed goes with them. */}
      <FeedbackFilterBar key={clearings} filters={filters} onFilter={setFilters} />
      <LoadBoundary pending={<FeedbackSkeleton />} failed="The feedback could not be loaded">
        <FeedbackList filters={shown} isBusy={isBusy} onClear={clear} />
      </LoadBoundary>
    </div>
  );
}
