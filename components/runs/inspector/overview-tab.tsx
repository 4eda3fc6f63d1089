import { REQUEST_VERBS } from "@/components/requests/answer-words";
import { RequestCard } from "@/components/requests/request-card";
import { AgentContext } from "@/components/runs/inspector/agent-context";
import { AgentControls } from "@/components/runs/inspector/agent-controls";
import { DecisionLinks } from "@/components/runs/inspector/decision-links";
import { Effect } from "@/components/runs/inspector/effect";
import { adviceFor } from "@/components/runs/inspector/error-advice";
import { ErrorDetails } from "@/components/runs/inspector/error-details";
import { Facts } from "@/components/runs/inspector/facts";
import { RetryFrom } from "@/components/runs/inspector/retry-from";
import { TodoList } from "@/components/runs/inspector/todo-list";
import { WhatIf } from "@/components/runs/inspector/what-if";
import { textKey } from "@/components/runs/run-live-text";
import { decisionKey, type RunNode } from "@/components/runs/run-nodes";
import type { RunState } from "@/components/runs/run-state";
import { isModelCall } from "@/components/runs/run-step-words";
import { RunStreamingText } from "@/components/runs/run-streaming-text";
import { CopyButton } from "@/components/ui/copy-button";
import { later } from "@/components/ui/later";
import { Note } from "@/components/ui/note";
import { reasonSentence } from "@/components/ui/status-words";
import type { RequestView } from "@/server/engine/events";
import { isHeld, isTerminal } from "@/server/engine/state";

/** Loaded when they are looked at. */
const CallRecord = later(() => import("@/components/runs/inspector/call-record").then((it) => it.CallRecord));
const AgentStanding = later(() => import("@/components/runs/inspector/agent-standing").then((it) => it.AgentStanding));
const RunSeal = later(() => import("@/components/ledger/run-seal").then((it) => it.RunSeal));

export type TabProps = {
  state: RunState;
  node: RunNode;
  nowMs: number;
  onSelect: (key: string, tab?: string) => void;
};

/** What it is, how it stands, what it took. Nothing here waits for inputs or outputs. */
export function OverviewTab({ state, node, nowMs, onSelect }: TabProps) {
  const { item } = node;
  const live = liveTextOf(state, node);
  const taken =
    item.type === "agent" ? state.decisions.filter((decision) => decision.agentRunId === item.agent.id) : [];
  return (
    <>
      <Failure node={node} />
      {item.type === "step" && item.step?.error && <ErrorDetails runId={state.run.id} step={item.step} />}
      {item.type === "step" && item.request && <Request request={item.request} />}
      <Facts state={state} node={node} nowMs={nowMs} onSelect={onSelect} />
      {item.type === "step" && item.step && isModelCall(item.kind) && (
        <CallRecord runId={state.run.id} agentRunId={item.agentRunId} position={item.position} />
      )}
      {item.type === "agent" && <AgentStanding state={state} onSelect={onSelect} agent={item.agent} />}
      {item.type === "agent" && item.root && isTerminal(state.run.status) && (
        <RunSeal runId={state.run.id} events={state.lastSeq} />
      )}
      {item.type === "agent" && item.agent.todo && (
        <TodoList runId={state.run.id} agent={item.agent} todo={item.agent.todo} />
      )}
      {item.type === "agent" && item.agent.context && <AgentContext context={item.agent.context} />}
      {item.type === "agent" && <AgentControls state={state} agent={item.agent} />}
      {item.type === "step" && item.step && item.kind === "tool" && (
        <Effect runId={state.run.id} agentRunId={item.agentRunId} position={item.position} />
      )}
      {item.type === "step" && item.step && (
        <section className="row">
          <RetryFrom run={state.run} step={item.step} />
          <WhatIf state={state} step={item.step} />
        </section>
      )}
      {live && (
        <section>
          <h3 className="section-label">{isHeld(node.status) ? "Written so far" : "Writing now"}</h3>
          <RunStreamingText text={live} label="Text being written" still={isHeld(node.status)} />
        </section>
      )}
      {taken.length > 0 && (
        <section>
          <h3 className="section-label">Decisions it took, {taken.length}</h3>
          <DecisionLinks decisions={taken} onSelect={(id) => onSelect(decisionKey(id), "decision")} />
        </section>
      )}
    </>
  );
}

/** The card to answer it is under its row; here is what was asked and what became of it, or how long the agents above are asked. */
function Request({ request }: { request: RequestView }) {
  if (request.status !== "open") return <RequestCard request={request} />;
  return (
    <section>
      <h3 className="section-label">It {REQUEST_VERBS[request.kind]}</h3>
      <p className="prewrap">{request.prompt}</p>
      <p className="t3 fs12">Answer it in the card under its row.</p>
    </section>
  );
}

function Failure({ node }: { node: RunNode }) {
  const { item } = node;
  if (item.type === "step" && item.step?.error) {
    const { message, code, stableCode = "" } = item.step.error;
    return (
      <Note
        tone="bad"
        aside={<CopyButton text={[message, code, stableCode].filter(Boolean).join("\n")} what="the error" />}
      >
        <span className="b block">{item.step.error.message}</span>
        <span className="t2">
          <span className="mono">{item.step.error.code}</span>
          {item.step.error.stableCode && <span className="mono t3"> {item.step.error.stableCode}</span>}
          {item.kind === "tool" && ". The agent was told; what it did next is below this step."}
        </span>
        {adviceFor(item.step.error) && <span className="block">{adviceFor(item.step.error)}</span>}
      </Note>
    );
  }
  if (node.degraded !== undefined) {
    return (
      <Note tone="warn">
        <span className="b block">Degraded: something else answered in its place.</span>
        <span className="t2">{node.degraded}</span>
      </Note>
    );
  }
  if (item.type === "agent" && item.agent.status === "failed") {
    return (
      <Note tone="bad">
        <span className="b block">{reasonSentence(item.agent.statusReason ?? "This agent run failed.")}</span>
        <span className="t2">
          {item.root ? "The run ended with it." : "Returned to the agent that started it as data. The run went on."}
        </span>
      </Note>
    );
  }
  if (item.type === "agent" && item.agent.status === "aborted" && item.agent.statusReason?.startsWith("budget_")) {
    return (
      <Note tone="warn">
        <span className="b block">{reasonSentence(item.agent.statusReason)}</span>
        {!item.root && <span className="t2">The agent that started it was told, and decides what to do.</span>}
      </Note>
    );
  }
  return null;
}

/** The text an open model call, or an agent run's open call, has written so far. */
export function liveTextOf(state: RunState, { item }: RunNode): string | null {
  if (item.type === "step") return state.texts[textKey(item.agentRunId, item.position)]?.text ?? null;
  if (item.type === "decision") return null;
  const open = item.agent.openSteps.find((step) => step.kind === "model");
  return (open && state.texts[textKey(item.agent.id, open.position)]?.text) ?? null;
}
