import { PageHead } from "@/components/ui/page-head";
import { SkeletonRows } from "@/components/ui/skeleton-rows";

export default function AccountLoading() {
  return (
    <div className="page">
      <PageHead title="Your account" />
      <SkeletonRows rows={4} columns={["320px"]} rowHeight={56} label="Loading your account" />
    </div>
  );
}
