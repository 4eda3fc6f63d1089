import type { ReactNode } from "react";
import { AgentLink } from "@/components/runs/inspector/agent-link";
import type { TabProps } from "@/components/runs/inspector/overview-tab";
import type { Budget } from "@/components/runs/run-budget";
import { BudgetMeter, BudgetStanding } from "@/components/runs/run-budget-meter";
import { formatCount, formatMoney, formatPlural } from "@/components/ui/format";
import type { AgentRow } from "@/server/engine/events";
import type { AgentLimit, AgentSpending } from "@/server/runs/queries/inside/schema";

type Props = Pick<TabProps, "state" | "onSelect"> & {
  agent: AgentRow;
  spending: AgentSpending;
};

/** The limits on spending that hold for an agent run, its own first and those of the run last, with how far each is used. */
export function AgentLimits({ state, onSelect, agent, spending }: Props) {
  const { run } = state;
  const ofRun: AgentLimit | null =
    run.limits.maxCostNanoUsd !== null || run.limits.maxTokens !== null
      ? {
          ...{ agentRunId: "run", name: "The run", reserved: run.reserved },
          ...{ maxCostNanoUsd: run.limits.maxCostNanoUsd, maxTokens: run.limits.maxTokens },
          spent: { costNanoUsd: run.costNanoUsd, tokens: run.inputTokens + run.outputTokens },
        }
      : null;
  const hasOwn = spending.limits.some(({ agentRunId }) => agentRunId === agent.id);
  return (
    <>
      {!hasOwn && (
        <p className="t2">
          {ofRun === null && spending.limits.length === 0
            ? "No limit on spending holds for it."
            : "None on its spending alone: it may take what is left of these."}
        </p>
      )}
      {spending.limits.map((limit) => (
        <LimitMeters
          key={limit.agentRunId}
          limit={limit}
          title={
            limit.agentRunId === agent.id ? (
              hasChildren(spending) ? (
                "Its own, with its agents"
              ) : (
                "Its own"
              )
            ) : (
              <>
                Of <AgentLink state={state} onSelect={onSelect} id={limit.agentRunId} />, with everything below it
              </>
            )
          }
        />
      ))}
      {ofRun && <LimitMeters limit={ofRun} title="Of the whole run" />}
    </>
  );
}

const hasChildren = ({ own, tree, agents }: AgentSpending) => tree.calls > own.calls || agents !== null;

function LimitMeters({ limit, title }: { limit: AgentLimit; title: ReactNode }) {
  const { maxCostNanoUsd, maxTokens, spent, reserved } = limit;
  return (
    <div className="limit">
      <p className="t3 fs12">{title}</p>
      {maxCostNanoUsd !== null && (
        <LimitMeter
          name="Cost"
          budget={{ spent: spent.costNanoUsd, reserved: reserved.costNanoUsd, limit: maxCostNanoUsd }}
          words={formatMoney}
        />
      )}
      {maxTokens !== null && (
        <LimitMeter
          name="Tokens"
          budget={{ spent: spent.tokens, reserved: reserved.tokens, limit: maxTokens }}
          words={formatCount}
        />
      )}
    </div>
  );
}

type MeterProps = { name: string; budget: Budget; words: (amount: number) => string };

function LimitMeter({ name, budget, words }: MeterProps) {
  const { spent, reserved, limit } = budget;
  return (
    <div className="limit-meter">
      <div className="row between">
        <span className="row">
          {name} <BudgetStanding budget={budget} />
        </span>
        <span className="num t2">
          {words(spent)} of {words(limit)}
        </span>
      </div>
      <BudgetMeter name={name} budget={budget} words={words} />
      <p className="t3 fs12">
        {words(Math.max(0, limit - spent - reserved))} left{reserved > 0 && `, ${words(reserved)} reserved`}
      </p>
    </div>
  );
}

/** What an agent run may do beside spending, and how far that is used. */
export function AgentCounts({ spending: { rounds, agents } }: { spending: AgentSpending }) {
  return (
    <dl>
      <div className="kv">
        <dt>Rounds</dt>
        <dd>
          {formatCount(rounds.used)} of {formatPlural(rounds.most, "answer")} of its model
        </dd>
      </div>
      {agents && (
        <div className="kv">
          <dt>Agents at once</dt>
          <dd>
            {formatCount(agents.open)} of {formatCount(agents.most)}
          </dd>
        </div>
      )}
    </dl>
  );
}
