import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function TeamListSkeleton() {
  return <SkeletonRows rows={8} label="Loading teams" columns={["2fr", "1fr", "3fr", "1fr", "60px", "1fr"]} />;
}
