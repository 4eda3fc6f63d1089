import type { StepPart } from "@/components/runs/run-index";
import { isUnpriced } from "@/components/runs/run-state";
import type { AgentRow } from "@/server/engine/events";

/** Tokens and cost; `unpricedCalls` are left out of the cost. */
export type Spent = { inputTokens: number; outputTokens: number; costNanoUsd: number; unpricedCalls: number };

/** What an agent run itself spent. */
export function spentBy(agent: AgentRow, parts: readonly StepPart[]): Spent {
  const { inputTokens, outputTokens, costNanoUsd } = agent;
  return { inputTokens, outputTokens, costNanoUsd, unpricedCalls: parts.filter(isOfUnknownPrice).length };
}

const isOfUnknownPrice = ({ step }: StepPart) => step !== null && isUnpriced(step);

export function addSpent(a: Spent, b: Spent): Spent {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costNanoUsd: a.costNanoUsd + b.costNanoUsd,
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
  };
}
