import { AgentCost } from "@/components/runs/inspector/cost-agent";
import { CallCost } from "@/components/runs/inspector/cost-call";
import type { TabProps } from "@/components/runs/inspector/overview-tab";
import { agentKey } from "@/components/runs/run-nodes";
import { isModelCall } from "@/components/runs/run-step-words";
import { formatCount } from "@/components/ui/format";
import { Money } from "@/components/ui/money";
import { Note } from "@/components/ui/note";

/** What a row cost: a model call by kind of token, an agent run by model and against its limits, a tool call what condensing its result took. */
export function CostTab({ state, node, onSelect }: TabProps) {
  const { item } = node;
  if (item.type === "agent") return <AgentCost state={state} onSelect={onSelect} agent={item.agent} />;
  if (item.type === "decision") return null;
  const { step, kind, agentRunId } = item;
  if (!step) {
    return kind === "human" ? (
      <Note tone="info">Waiting for a person costs nothing.</Note>
    ) : (
      <Note tone="info">
        What it costs is known when it ends. Where a limit on spending holds, what it may cost at most is reserved
        meanwhile:{" "}
        <button type="button" className="linkbtn" onClick={() => onSelect(agentKey(agentRunId), "cost")}>
          see the limits of its agent
        </button>
        .
      </Note>
    );
  }
  if (step.reused) {
    const { inputTokens, outputTokens, costNanoUsd } = step.reused;
    return (
      <Note tone="info">
        Nothing here: it was taken over from another run.
        {inputTokens + outputTokens > 0 && (
          <>
            {" "}
            There it used {formatCount(inputTokens + outputTokens)} tokens
            {costNanoUsd !== null && (
              <>
                {" "}
                and cost <Money nanoUsd={costNanoUsd} />
              </>
            )}
            , which is not counted again.
          </>
        )}
      </Note>
    );
  }
  const place = { runId: state.run.id, agentRunId, position: step.position };
  if (isModelCall(kind)) return <CallCost {...place} />;
  if (kind === "human") return <Note tone="info">Waiting for a person costs nothing.</Note>;
  if (step.inputTokens + step.outputTokens > 0) {
    return (
      <>
        <p className="t2">What it returned was condensed by a model before the agent read it. That is what it cost.</p>
        <CallCost {...place} />
      </>
    );
  }
  return (
    <Note tone="info">
      Nothing is counted for this call: no model was asked for it. What the tool’s own provider charges is not known
      here.
    </Note>
  );
}
