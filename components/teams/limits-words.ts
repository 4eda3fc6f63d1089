import { spendWords } from "@/components/runs/spend-words";
import { formatSpan } from "@/components/ui/format";
import type { RunLimits } from "@/server/engine/run-limits";

/** "$0.25 (a person is asked at 80 %), 8 h of work, 10 min without progress". */
export function limitsWords(limits: RunLimits): string {
  const spend = spendWords(limits);
  const time = `${formatSpan(limits.maxActiveMs)} of work, ${formatSpan(limits.stuckAfterMs)} without progress`;
  const ask = limits.askAtRatio === null ? "" : ` (a person is asked at ${Math.round(limits.askAtRatio * 100)} %)`;
  return spend ? `${spend}${ask}, ${time}` : time;
}
