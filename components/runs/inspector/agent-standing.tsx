import { IconAlertTriangle, IconCircleX } from "@tabler/icons-react";
import { AgentCounts, AgentLimits } from "@/components/runs/inspector/agent-limits";
import { FULL_WORDS, fullness } from "@/components/runs/inspector/fullness";
import { Loaded } from "@/components/runs/inspector/loaded";
import type { TabProps } from "@/components/runs/inspector/overview-tab";
import { useAgentSpending } from "@/components/runs/inspector/use-detail";
import { textKey } from "@/components/runs/run-live-text";
import { formatCount } from "@/components/ui/format";
import { Meter } from "@/components/ui/meter";
import type { AgentRow } from "@/server/engine/events";
import type { AgentSpending } from "@/server/runs/queries/inside/schema";

type Props = Pick<TabProps, "state" | "onSelect"> & { agent: AgentRow };

/** How near an agent run is to what it may: its limits, and the context of its model. */
export function AgentStanding({ state, onSelect, agent }: Props) {
  const query = useAgentSpending(state, agent);
  return (
    <Loaded query={query} what="Limits and context">
      {(spending) => (
        <>
          <section>
            <h3 className="section-label">Limits</h3>
            <AgentLimits spending={spending} state={state} onSelect={onSelect} agent={agent} />
            <AgentCounts spending={spending} />
          </section>
          {spending.context && (
            <section>
              <div className="row between">
                <h3 className="section-label">Context of its last model call</h3>
                <button
                  type="button"
                  className="linkbtn fs12"
                  onClick={() => onSelect(textKey(agent.id, spending.context?.position ?? 0), "input")}
                >
                  Show what was sent
                </button>
              </div>
              <ContextFill context={spending.context} />
            </section>
          )}
        </>
      )}
    </Loaded>
  );
}

function ContextFill({ context }: { context: NonNullable<AgentSpending["context"]> }) {
  const { tokens, contextTokens, provider, model } = context;
  const of = <span className="mono t3 fs12 block">{`${provider}/${model}`}</span>;
  if (tokens === null) {
    return <p className="t2">Not known: the provider did not say how much it was sent.{of}</p>;
  }
  if (contextTokens === null) {
    return (
      <p className="t2">
        {formatCount(tokens)} tokens. How much the model takes is not known: set it under Models.{of}
      </p>
    );
  }
  const { share, level } = fullness(tokens, contextTokens);
  const words = `${Math.round(share * 100)} % full${FULL_WORDS[level]}: ${formatCount(tokens)} of ${formatCount(contextTokens)} tokens`;
  return (
    <>
      <p className={`context-${level}`}>
        {level === "warning" && <IconAlertTriangle size={13} aria-hidden />}
        {level === "danger" && <IconCircleX size={13} aria-hidden />}
        {words}
      </p>
      <div className="meter-wrap">
        <Meter
          label="Context of its last model call"
          height={6}
          max={contextTokens}
          parts={[{ value: tokens, color: COLOURS[level] }]}
          valueText={words}
        />
      </div>
      {of}
    </>
  );
}

const COLOURS = { fine: "var(--bar-model)", warning: "var(--st-waiting)", danger: "var(--st-failed)" };
