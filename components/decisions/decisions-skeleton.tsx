import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function DecisionsSkeleton() {
  return <SkeletonRows columns={["1fr", "3fr", "1fr", "1fr"]} rowHeight={52} label="Loading decisions" />;
}
