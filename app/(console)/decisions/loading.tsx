import { DecisionsHead } from "@/components/decisions/decisions-head";
import { DecisionsSkeleton } from "@/components/decisions/decisions-skeleton";

export default function DecisionsLoading() {
  return (
    <div className="page">
      <DecisionsHead />
      <div className="filterbar" />
      <DecisionsSkeleton />
    </div>
  );
}
