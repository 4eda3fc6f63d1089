import { SkeletonRows } from "@/components/ui/skeleton-rows";

/** The shape of an editor while it loads. */
export function EditorSkeleton({ label }: { label: string }) {
  return <SkeletonRows rows={10} rowHeight={44} label={label} columns={["1fr", "3fr", "2fr"]} />;
}
