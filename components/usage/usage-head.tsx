"use client";

import { DownloadMenu } from "@/components/ui/download-menu";
import { PageHead } from "@/components/ui/page-head";

/** The same while the page loads, so that nothing moves when it is there. */
export function UsageHead() {
  return (
    <PageHead
      title="Usage"
      meta="What this workspace keeps, how much it may, and for how long"
      actions={
        <DownloadMenu href={(format) => `/api/usage/models?format=${format}`} what="what each run used of each model" />
      }
    />
  );
}
