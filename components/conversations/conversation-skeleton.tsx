import { SkeletonRows } from "@/components/ui/skeleton-rows";

/** Questions and answers while they load. */
export function ConversationSkeleton() {
  return <SkeletonRows rows={4} columns={["1fr"]} rowHeight={88} label="Loading the conversation" />;
}
