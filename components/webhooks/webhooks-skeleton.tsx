import { SkeletonRows } from "@/components/ui/skeleton-rows";

export function WebhooksSkeleton() {
  return <SkeletonRows rows={3} columns={["1fr", "1fr", "2fr", "1fr"]} rowHeight={44} label="Loading webhooks" />;
}
