import { formatCount } from "@/components/ui/format";
import type { ModelCall } from "@/server/runs/schema";

/** What the provider said it was sent and sent back. Nothing said is not nothing used (LLM-OBS-11). */
export function Counted({ record: { usage, isReused } }: { record: ModelCall }) {
  if (usage === null) {
    return <span className="t3">{isReused ? "in the run it was taken over from" : "it was not answered"}</span>;
  }
  if (!usage.isKnown) return <span className="t3">no usage data: the provider did not say</span>;
  return (
    <>
      {formatCount(usage.prompt)} in
      {usage.cached > 0 && <span className="t2">, {formatCount(usage.cached)} of them cached</span>},{" "}
      {formatCount(usage.completion)} out
      {usage.reasoning !== null && <span className="t2">, {formatCount(usage.reasoning)} of them for reasoning</span>}
    </>
  );
}
