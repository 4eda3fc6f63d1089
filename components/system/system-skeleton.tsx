import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function SystemSkeleton({ label }: { label: string }) {
  return <SkeletonRows columns={["90px", "120px", "1fr"]} rowHeight={40} label={label} />;
}
