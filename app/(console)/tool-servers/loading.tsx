import { PageHead } from "@/components/ui/page-head";
import { SkeletonRows } from "@/components/ui/skeleton-rows";

export default function ToolsLoading() {
  return (
    <div className="page">
      <PageHead title="Tools" />
      <SkeletonRows columns={["2fr", "1fr", "1fr"]} rowHeight={56} label="Loading the tools" />
    </div>
  );
}
