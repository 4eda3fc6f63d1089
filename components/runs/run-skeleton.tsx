import "@/components/runs/run.css";
import { Skeleton } from "@mantine/core";
import { SkeletonRows } from "@/components/ui/skeleton-rows";

const COLUMNS = ["minmax(220px, 1.25fr)", "80px", "minmax(120px, 1fr)", "64px", "46px"];

/** The shape of the page before the run is here. */
export function RunSkeleton() {
  return (
    <div className="run" aria-busy>
      <div className="run-head">
        <div className="grow skeleton-lines">
          <Skeleton height={16} width={320} maw="70%" radius="sm" />
          <Skeleton height={12} width={220} maw="50%" radius="sm" />
        </div>
      </div>
      <div className="filterbar" />
      <SkeletonRows rows={12} columns={COLUMNS} rowHeight={28} label="Loading the run" />
    </div>
  );
}
