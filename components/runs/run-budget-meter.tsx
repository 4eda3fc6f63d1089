import { type Icon, IconAlertOctagon, IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { Meter } from "@/components/ui/meter";
import { BUDGET_WORDS, type Budget, type BudgetState, budgetState } from "./run-budget";

const LOOKS: Record<BudgetState, { icon: Icon; color: string }> = {
  ok: { icon: IconCircleCheck, color: "var(--st-succeeded)" },
  warning: { icon: IconAlertTriangle, color: "var(--st-waiting)" },
  critical: { icon: IconAlertOctagon, color: "var(--st-failed)" },
  exceeded: { icon: IconCircleX, color: "var(--st-failed)" },
};

/** How the budget stands, beside its name. That all is well is shown by the icon alone. */
export function BudgetStanding({ budget }: { budget: Budget }) {
  const state = budgetState(budget);
  const { icon: Glyph, color } = LOOKS[state];
  return (
    <span className="budget-state" style={{ color }} title={BUDGET_WORDS[state]}>
      <Glyph size={12} stroke={2} aria-hidden />
      <span className={state === "ok" ? "sr" : undefined}>{BUDGET_WORDS[state]}</span>
    </span>
  );
}

type MeterProps = {
  /** What is limited. */
  name: string;
  budget: Budget;
  /** A number of it, in words: "$0.0120", "3,100 tokens". */
  words: (amount: number) => string;
};

/** Spent solid, reserved lighter, of the limit. */
export function BudgetMeter({ name, budget, words }: MeterProps) {
  const { spent, reserved, limit } = budget;
  const state = budgetState(budget);
  const { color } = LOOKS[state];
  const parts = [
    { value: spent, color },
    { value: Math.min(reserved, Math.max(0, limit - spent)), color: `color-mix(in srgb, ${color} 45%, transparent)` },
  ];
  const held = reserved > 0 ? ` and ${words(reserved)} reserved` : "";
  const text = `${words(spent)} spent${held} of ${words(limit)}: ${BUDGET_WORDS[state].toLowerCase()}`;
  return (
    <div title={text}>
      <Meter
        height={3}
        max={limit}
        parts={parts.filter(({ value }) => value > 0)}
        label={`Budget: ${name.toLowerCase()}`}
        valueText={text}
      />
    </div>
  );
}
