"use client";

import "@/components/editor/editor.css";
import "./system.css";
import { SegmentedControl } from "@mantine/core";
import { IconServer } from "@tabler/icons-react";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { PageHead } from "@/components/ui/page-head";
import { BackupsTab } from "./backups-tab";
import { HealthTab } from "./health-tab";
import { SystemSkeleton } from "./system-skeleton";

const TABS = [
  { value: "health", label: "Health" },
  { value: "backups", label: "Backups" },
];

/** The installation as a whole: how it does, and copies of it. */
export function SystemPage() {
  return (
    <div className="page">
      <PageHead title="System" meta="How this installation does, and backups of all of it" />
      <LoadBoundary
        pending={<SystemSkeleton label="Loading the page" />}
        failed="The page could not be loaded"
        reassurance="Runs are not affected."
      >
        <SystemTabs />
      </LoadBoundary>
    </div>
  );
}

function SystemTabs() {
  const trpc = useTRPC();
  const { data: access } = useSuspenseQuery(trpc.system.access.queryOptions());
  const tab = useSearchParams().get("tab") === "backups" ? "backups" : "health";
  if (access.whyNot) {
    return (
      <EmptyState icon={IconServer} title="For owners of the installation">
        {access.whyNot}
      </EmptyState>
    );
  }
  return (
    <>
      <div className="filterbar">
        <SegmentedControl
          aria-label="Part of the page"
          data={TABS}
          value={tab}
          onChange={(value) =>
            window.history.pushState(null, "", value === "backups" ? "/system?tab=backups" : "/system")
          }
        />
      </div>
      {tab === "health" ? <HealthTab /> : <BackupsTab />}
    </>
  );
}
