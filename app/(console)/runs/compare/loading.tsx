import { CompareSkeleton } from "@/components/compare/compare-skeleton";

export default function CompareLoading() {
  return <CompareSkeleton />;
}
