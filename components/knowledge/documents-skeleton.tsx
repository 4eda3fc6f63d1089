import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function DocumentsSkeleton() {
  return <SkeletonRows columns={["3fr", "1fr", "2fr", "1fr", "1fr", "1fr"]} label="Loading documents" />;
}
