import { BaseSkeleton } from "@/components/knowledge/base-skeleton";

export default function BaseLoading() {
  return <BaseSkeleton />;
}
