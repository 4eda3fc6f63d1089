import "./home.css";
import { Skeleton } from "@mantine/core";
import { PageHead } from "@/components/ui/page-head";
import { Panel } from "@/components/ui/panel";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { RUNNING_COLUMNS } from "./run-panel";

/** Home before anything is known: the same panels in the same places. */
export function HomeSkeleton() {
  return (
    <div className="page">
      <PageHead
        title={<Skeleton width={160} height={20} my={4} />}
        meta={<Skeleton width={280} height={12} my={4} />}
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
