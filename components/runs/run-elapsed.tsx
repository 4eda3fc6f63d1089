import { Duration } from "@/components/ui/duration";
import type { RunSummary } from "@/server/runs/schema";

/** How long a run took, or has taken so far. One that is held has taken what it had when it was: no clock ticks. */
export function RunElapsed({ run }: { run: Pick<RunSummary, "createdAt" | "finishedAt" | "heldAt"> }) {
  if (run.heldAt === null) return <Duration from={run.createdAt} to={run.finishedAt} />;
  return (
    <span title="It stands still: no clock runs">
      <Duration from={run.createdAt} to={run.heldAt} />
      <span className="sr">, and stands still</span>
    </span>
  );
}
