import { AgentLimits } from "@/components/runs/inspector/agent-limits";
import { Loaded } from "@/components/runs/inspector/loaded";
import type { TabProps } from "@/components/runs/inspector/overview-tab";
import { useAgentSpending } from "@/components/runs/inspector/use-detail";
import { formatCount, formatPlural } from "@/components/ui/format";
import { Money } from "@/components/ui/money";
import { Note } from "@/components/ui/note";
import type { AgentRow } from "@/server/engine/events";
import type { AgentSpending, SpentRow } from "@/server/runs/queries/inside/schema";

type Props = Pick<TabProps, "state" | "onSelect"> & { agent: AgentRow };

/** What an agent run cost: itself and with those below it, by model, and what is left of the limits that hold for it. */
export function AgentCost({ state, onSelect, agent }: Props) {
  const query = useAgentSpending(state, agent);
  return (
    <Loaded query={query} what="The cost">
      {(spending) => (
        <>
          <Sums spending={spending} />
          <Models models={spending.models} />
          <section>
            <h3 className="section-label">Limits on spending</h3>
            <AgentLimits spending={spending} state={state} onSelect={onSelect} agent={agent} />
          </section>
        </>
      )}
    </Loaded>
  );
}

function Sums({ spending: { own, tree } }: { spending: AgentSpending }) {
  const { silentCalls } = tree;
  return (
    <section>
      <h3 className="section-label">What it cost</h3>
      <table className="cost-table">
        <SpentHead first="" />
        <tbody>
          <SpentLine name="Itself" spent={own} />
          {tree.calls > own.calls && <SpentLine name="With its agents" spent={tree} />}
        </tbody>
      </table>
      {silentCalls > 0 && (
        <Note tone="warn">
          No usage data for {formatPlural(silentCalls, "model call")}: the provider did not say what they used, so they
          are not in these figures. They were not free.
        </Note>
      )}
    </section>
  );
}

function Models({ models }: { models: AgentSpending["models"] }) {
  if (models.length === 0) return null;
  return (
    <section>
      <h3 className="section-label">By model</h3>
      <table className="cost-table">
        <SpentHead first="Model" />
        <tbody>
          {models.map((row) => (
            <SpentLine key={`${row.provider}/${row.model}`} name={`${row.provider}/${row.model}`} spent={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SpentHead({ first }: { first: string }) {
  return (
    <thead>
      <tr>
        <th>{first}</th>
        <th className="num">Calls</th>
        <th className="num">In</th>
        <th className="num">Out</th>
        <th className="num">Cost</th>
      </tr>
    </thead>
  );
}

function SpentLine({ name, spent }: { name: string; spent: SpentRow }) {
  const isSilent = spent.calls > 0 && spent.silentCalls === spent.calls;
  return (
    <tr>
      <td className="cost-name">{name}</td>
      <td className="num">{formatCount(spent.calls)}</td>
      <td className="num" title={`${formatCount(spent.cachedTokens)} of them from the cache`}>
        {isSilent ? "—" : formatCount(spent.inputTokens)}
        {spent.cachedTokens > 0 && <span className="t3 block fs11">{formatCount(spent.cachedTokens)} cached</span>}
      </td>
      <td className="num">{isSilent ? "—" : formatCount(spent.outputTokens)}</td>
      <td className="num">
        <Money nanoUsd={isSilent ? null : spent.costNanoUsd} unpricedCalls={spent.unpricedCalls} />
      </td>
    </tr>
  );
}
