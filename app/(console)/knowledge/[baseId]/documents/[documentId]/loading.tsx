import { BaseSkeleton } from "@/components/knowledge/base-skeleton";

export default function DocumentLoading() {
  return <BaseSkeleton />;
}
