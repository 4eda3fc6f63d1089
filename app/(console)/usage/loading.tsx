import { UsageHead } from "@/components/usage/usage-head";
import { UsageSkeleton } from "@/components/usage/usage-skeleton";

export default function UsageLoading() {
  return (
    <div className="page">
      <UsageHead />
      <UsageSkeleton />
    </div>
  );
}
