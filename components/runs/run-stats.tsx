import type { ReactNode } from "react";
import type { RunState } from "@/components/runs/run-state";
import { Duration } from "@/components/ui/duration";
import { formatCount, formatExactMoney, formatMoney, formatPlural, formatTokens } from "@/components/ui/format";
import { Money } from "@/components/ui/money";
import { TokensCount } from "@/components/ui/tokens-count";
import type { Budget } from "./run-budget";
import { BudgetMeter, BudgetStanding } from "./run-budget-meter";

type Props = {
  run: RunState["run"];
  /** Since when it stands still; null while it moves or has ended. */
  stillMs: number | null;
};

/** Time, tokens and cost of a run, with the budgets it has. */
export function RunStats({ run, stillMs }: Props) {
  const { limits, reserved, unpricedCalls } = run;
  const tokens = run.inputTokens + run.outputTokens;
  return (
    <dl className="run-stats">
      <div className="stat">
        <dt>Elapsed</dt>
        <dd>
          <Duration from={run.createdAt} to={stillMs === null ? run.finishedAt : new Date(stillMs)} />
        </dd>
      </div>
      <Stat
        name="Tokens"
        budget={
          limits.maxTokens === null ? null : { spent: tokens, reserved: reserved.tokens, limit: limits.maxTokens }
        }
        words={formatCount}
        short={formatTokens}
      >
        {tokens === 0 ? "0" : <TokensCount input={run.inputTokens} output={run.outputTokens} />}
      </Stat>
      <Stat
        name="Cost"
        budget={
          limits.maxCostNanoUsd === null
            ? null
            : { spent: run.costNanoUsd, reserved: reserved.costNanoUsd, limit: limits.maxCostNanoUsd }
        }
        words={formatMoney}
        short={formatExactMoney}
      >
        <Money nanoUsd={run.costNanoUsd} unpricedCalls={unpricedCalls} />
        {unpricedCalls > 0 && <small> {formatPlural(unpricedCalls, "call")} without a known cost</small>}
      </Stat>
    </dl>
  );
}

type StatProps = {
  name: string;
  /** Null: no limit. */
  budget: Budget | null;
  words: (amount: number) => string;
  /** As `words`, for the limit beside the number. */
  short: (amount: number) => string;
  children: ReactNode;
};

function Stat({ name, budget, words, short, children }: StatProps) {
  if (!budget) {
    return (
      <div className="stat">
        <dt>{name}</dt>
        <dd>{children}</dd>
      </div>
    );
  }
  return (
    <div className="stat stat-budget">
      <dt>
        {name} <BudgetStanding budget={budget} />
      </dt>
      <dd>
        <span>{children}</span> <span className="t2">of {short(budget.limit)}</span>
        <BudgetMeter name={name} budget={budget} words={words} />
      </dd>
    </div>
  );
}
