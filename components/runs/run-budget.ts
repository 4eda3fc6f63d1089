/** How near spending is to its limit, by the share that is spent or reserved (LLM-ADV-16). */
export type BudgetState = "ok" | "warning" | "critical" | "exceeded";

export type Budget = { spent: number; reserved: number; limit: number };

export function budgetState({ spent, reserved, limit }: Budget): BudgetState {
  const used = spent + reserved;
  if (used > limit) return "exceeded";
  if (used >= limit * 0.9) return "critical";
  return used >= limit * 0.7 ? "warning" : "ok";
}

export const BUDGET_WORDS: Record<BudgetState, string> = {
  ok: "Within budget",
  warning: "Running low",
  critical: "Nearly used up",
  exceeded: "Over budget",
};
