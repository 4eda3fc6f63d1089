import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function BasesSkeleton() {
  return (
    <SkeletonRows columns={["2fr", "1fr", "1fr", "1fr", "1fr", "1fr"]} rowHeight={48} label="Loading knowledge bases" />
  );
}
