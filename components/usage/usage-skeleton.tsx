import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function UsageSkeleton() {
  return <SkeletonRows rows={6} columns={["180px", "1fr", "80px", "80px"]} label="Loading the usage" />;
}
