import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function FeedbackSkeleton() {
  return <SkeletonRows columns={["1fr", "4fr", "2fr", "2fr"]} rowHeight={56} label="Loading feedback" />;
}
