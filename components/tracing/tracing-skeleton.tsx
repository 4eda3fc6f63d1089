import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function TracingSkeleton() {
  return <SkeletonRows rows={6} columns={["180px", "1fr", "120px"]} label="Loading the settings" />;
}
