import { firstProblem } from "@/components/editor/first-problem";
import { formatCount, formatMoney } from "@/components/ui/format";
import type { SpendLimits } from "@/server/engine/run-limits";
import { resumeRunInput } from "@/server/runs/schema";

type Spent = { costNanoUsd: number; tokens: number };

const { maxCostNanoUsd: costSchema, maxTokens: tokensSchema } = resumeRunInput.shape.limits.unwrap().shape;
const problemOfCost = firstProblem(costSchema);
const problemOfTokens = firstProblem(tokensSchema);

/** What is wrong with the limits a run shall go on under, by field. One that is used up already would hold it again at once. */
export function resumeProblems({ maxCostNanoUsd, maxTokens }: SpendLimits, used: Spent) {
  return {
    maxCostNanoUsd:
      problemOfCost(maxCostNanoUsd) ??
      (maxCostNanoUsd !== null && maxCostNanoUsd <= used.costNanoUsd
        ? `${formatMoney(used.costNanoUsd)} are spent or reserved already. Give it more, or leave it empty for no limit.`
        : null),
    maxTokens:
      problemOfTokens(maxTokens) ??
      (maxTokens !== null && maxTokens <= used.tokens
        ? `${formatCount(used.tokens)} are used or reserved already. Give it more, or leave it empty for no limit.`
        : null),
  };
}

/** "Spent so far: $0.0980 and 12,400 tokens.", with what is reserved where anything is. */
export function usedWords(spent: Spent, reserved: Spent): string {
  const words = ({ costNanoUsd, tokens }: Spent) => `${formatMoney(costNanoUsd)} and ${formatCount(tokens)} tokens`;
  const isReserved = reserved.costNanoUsd > 0 || reserved.tokens > 0;
  const held = `; ${words(reserved)} are reserved for calls whose end is not known`;
  return `Spent so far: ${words(spent)}${isReserved ? held : ""}.`;
}
