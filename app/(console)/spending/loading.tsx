import { SpendingHead } from "@/components/spending/spending-head";
import { SpendingSkeleton } from "@/components/spending/spending-skeleton";

export default function SpendingLoading() {
  return (
    <div className="page">
      <SpendingHead />
      <div className="filterbar" />
      <SpendingSkeleton />
    </div>
  );
}
