import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function MembersSkeleton() {
  return <SkeletonRows rows={3} columns={["1fr", "40%", "80px"]} label="Loading members" />;
}
