import { DeadLettersHead } from "@/components/dead-letters/dead-letters-head";
import { DeadLettersSkeleton } from "@/components/dead-letters/dead-letters-skeleton";

export default function DeadLettersLoading() {
  return (
    <div className="page">
      <DeadLettersHead />
      <div className="filterbar" />
      <DeadLettersSkeleton />
    </div>
  );
}
