import { formatExactMoney, formatPlural } from "@/components/ui/format";
import type { SpendLimits } from "@/server/engine/run-limits";

/** "$0.25 and 10,000 tokens"; null where neither is limited. */
export function spendWords({ maxCostNanoUsd, maxTokens }: SpendLimits): string | null {
  const parts = [
    ...(maxCostNanoUsd === null ? [] : [formatExactMoney(Math.max(0, maxCostNanoUsd))]),
    ...(maxTokens === null ? [] : [formatPlural(maxTokens, "token")]),
  ];
  return parts.join(" and ") || null;
}
