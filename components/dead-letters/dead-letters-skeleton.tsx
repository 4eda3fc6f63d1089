import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function DeadLettersSkeleton() {
  return <SkeletonRows columns={["1fr", "3fr", "1fr"]} rowHeight={40} label="Loading dead letters" />;
}
