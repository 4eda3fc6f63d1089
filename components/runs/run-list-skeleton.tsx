import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function RunListSkeleton() {
  return <SkeletonRows rows={12} label="Loading runs" columns={["3fr", "1fr", "1fr", "1fr", "60px", "60px", "60px"]} />;
}
