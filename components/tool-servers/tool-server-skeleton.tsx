import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function ToolServerSkeleton() {
  return <SkeletonRows columns={["2fr", "1fr", "1fr"]} rowHeight={56} label="Loading the tool server" />;
}
