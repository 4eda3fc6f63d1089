import { Skeleton } from "@mantine/core";
import { SkeletonRows } from "@/components/ui/skeleton-rows";

/** The shape of the page before the runs are here. */
export function CompareSkeleton() {
  return (
    <div className="page" aria-busy>
      <div className="page-head">
        <div className="grow skeleton-lines">
          <Skeleton height={18} width={240} maw="70%" radius="sm" />
          <Skeleton height={12} width={320} maw="90%" radius="sm" />
        </div>
      </div>
      <SkeletonRows rows={12} columns={["120px", "1fr", "1fr"]} rowHeight={28} label="Loading the comparison" />
    </div>
  );
}
