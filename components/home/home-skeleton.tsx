"use client";

import "./home.css";
import { Skeleton } from "@mantine/core";
import { useMe } from "@/components/layout/use-me";
import { EverythingMenu } from "@/components/runs/everything-menu";
import { PageHead } from "@/components/ui/page-head";
import { Panel } from "@/components/ui/panel";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { RUNNING_COLUMNS } from "./run-panel";

/** Home before anything is known: the same panels in the same places. */
export function HomeSkeleton() {
  const { workspace } = useMe();
  return (
    <div className="page">
      <PageHead
        title={workspace.name}
        meta={<Skeleton width={280} height={12} my={4} />}
        actions={<EverythingMenu />}
      />
      <div className="home">
        <Panel title="Start a run">
          <div className="start-skeleton" />
        </Panel>
        <Panel title="Waiting for you" flush>
          <WaitingSkeleton />
        </Panel>
        <Panel title="Running now" className="span2" flush>
          <SkeletonRows rows={3} label="Loading runs" columns={RUNNING_COLUMNS} />
        </Panel>
      </div>
    </div>
  );
}

export function WaitingSkeleton() {
  return <SkeletonRows rows={3} rowHeight={44} label="Loading requests" columns={["1fr", "72px"]} />;
}
