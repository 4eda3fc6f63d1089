import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function ProvidersSkeleton() {
  return <SkeletonRows columns={["2fr", "1fr", "1fr", "1fr", "1fr", "1fr"]} rowHeight={40} label="Loading models" />;
}
