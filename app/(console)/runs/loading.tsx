import { PageHead } from "@/components/ui/page-head";
import { SkeletonRows } from "@/components/ui/skeleton-rows";

export default function RunsLoading() {
  return (
    <div className="page">
      <PageHead title="Runs" />
      <div className="filterbar" />
      <SkeletonRows rows={12} label="Loading runs" columns={["3fr", "1fr", "1fr", "1fr", "60px", "60px", "60px"]} />
    </div>
  );
}
