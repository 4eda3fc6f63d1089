import { RunListSkeleton } from "@/components/runs/run-list-skeleton";
import { PageHead } from "@/components/ui/page-head";

export default function RunsLoading() {
  return (
    <div className="page">
      <PageHead title="Runs" />
      <div className="filterbar" />
      <RunListSkeleton />
    </div>
  );
}
