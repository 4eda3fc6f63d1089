import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function SpendingSkeleton() {
  return (
    <SkeletonRows columns={["3fr", "1fr", "1fr", "1fr", "1fr", "1fr"]} rowHeight={40} label="Loading the spending" />
  );
}
