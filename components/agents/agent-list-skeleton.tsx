import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function AgentListSkeleton() {
  return <SkeletonRows rows={8} label="Loading agents" columns={["2fr", "3fr", "1fr", "60px", "60px", "1fr"]} />;
}
