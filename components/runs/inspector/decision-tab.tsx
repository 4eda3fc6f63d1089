import { IconArrowRight } from "@tabler/icons-react";
import { DecisionDetails } from "@/components/decisions/decision-details";
import { SaveAsKnowledge } from "@/components/knowledge/save-as-knowledge";
import { type Carrier, carrierOf } from "@/components/runs/decision-outcome";
import { entryOfDecision } from "@/components/runs/entry-of-run";
import { DecisionLinks } from "@/components/runs/inspector/decision-links";
import { DecisionOptions, DecisionReason } from "@/components/runs/inspector/decision-parts";
import { Loaded } from "@/components/runs/inspector/loaded";
import type { TabProps } from "@/components/runs/inspector/overview-tab";
import { RetryFrom } from "@/components/runs/inspector/retry-from";
import { useDecisionDetail } from "@/components/runs/inspector/use-detail";
import { WhatIf } from "@/components/runs/inspector/what-if";
import { stepOfDecision } from "@/components/runs/inspector/what-if-draft";
import { decisionTitle } from "@/components/runs/run-labels";
import { textKey } from "@/components/runs/run-live-text";
import { agentKey, decisionKey, type RunNode } from "@/components/runs/run-nodes";
import type { RunState } from "@/components/runs/run-state";
import { Money } from "@/components/ui/money";
import { Note } from "@/components/ui/note";
import { StatusBadge } from "@/components/ui/status";
import type { DecisionKind, DecisionRow } from "@/server/engine/events";

/** The decision a row is, that started it, or that it led to. */
export function DecisionTab({ state, node, onSelect }: TabProps) {
  const decision = decisionOf(state, node);
  if (decision) return <DecisionView state={state} decision={decision} node={node} onSelect={onSelect} />;
  const { item } = node;
  const taken = item.type === "agent" ? state.decisions.filter((each) => each.agentRunId === item.agent.id) : [];
  if (taken.length === 0) return <Note tone="info">No decision belongs to this row.</Note>;
  return (
    <section>
      <h3 className="section-label">Decisions it took, {taken.length}</h3>
      <DecisionLinks decisions={taken} onSelect={(id) => onSelect(decisionKey(id), "decision")} />
    </section>
  );
}

function decisionOf(state: RunState, { item }: RunNode): DecisionRow | undefined {
  if (item.type === "decision") return item.decision;
  if (item.type === "agent") return state.decisions.find((decision) => decision.id === item.agent.spawnedById);
  const own = state.decisions.filter((decision) => decision.agentRunId === item.agentRunId);
  const carriedOut = own.find((decision) => decision.chosen.some((chosen) => chosen.position === item.position));
  return carriedOut ?? own.find((decision) => decision.position === item.position && !FROM_OUTSIDE.has(decision.kind));
}

/** Taken about an agent run as a whole. Where they are recorded says when it was, not which step they are about. */
const FROM_OUTSIDE: ReadonlySet<DecisionKind> = new Set(["stop", "pause", "resume", "steer", "budget"]);

type ViewProps = { state: RunState; decision: DecisionRow; node: RunNode; onSelect: TabProps["onSelect"] };

function DecisionView({ state, decision, node, onSelect }: ViewProps) {
  const query = useDecisionDetail({ runId: state.run.id, decisionId: decision.id });
  return (
    <>
      {node.item.type !== "decision" && (
        <p className="t2">
          <button type="button" className="linkbtn" onClick={() => onSelect(decisionKey(decision.id), "decision")}>
            {decisionTitle(decision)}
          </button>
        </p>
      )}
      <DecisionReason decision={decision} />
      <Loaded query={query} what="Options">
        {({ options }) => <DecisionOptions options={options} decision={decision} />}
      </Loaded>
      <section>
        <h3 className="section-label">Outcome</h3>
        <ul className="outcomes">
          {decision.chosen.map((chosen, at) => (
            <Outcome
              key={`${chosen.option} ${chosen.position}`}
              label={chosen.label}
              target={targetOf(state, decision, at)}
              onSelect={onSelect}
            />
          ))}
        </ul>
      </section>
      <Otherwise state={state} decision={decision} />
      <section className="row">
        <SaveAsKnowledge look="button" start={entryOfDecision(state.run.id, decision)} />
      </section>
      <dl>
        <div className="kv">
          <dt>Cost so far</dt>
          <dd>
            <Money
              nanoUsd={decision.costSoFarNanoUsd}
              // How many there were by then is not recorded: only that nothing is known is said.
              unpricedCalls={decision.costSoFarNanoUsd === 0 ? state.run.unpricedCalls : 0}
            />
            <span className="t3"> of the run when it was taken</span>
          </dd>
        </div>
      </dl>
      <DecisionDetails key={decision.id} decisionId={decision.id} />
    </>
  );
}

/** What can be tried otherwise where it was taken. */
function Otherwise({ state, decision }: Pick<ViewProps, "state" | "decision">) {
  const step = stepOfDecision(state, decision);
  if (!step)
    return <p className="t3 fs12">It belongs to no step of its own: to try it otherwise, choose a step beside it.</p>;
  return (
    <section className="row wrap">
      <RetryFrom run={state.run} step={step} />
      <WhatIf state={state} step={step} />
    </section>
  );
}

/** What carried a choice out. */
function targetOf(state: RunState, decision: DecisionRow, at: number): Target | null {
  const carrier = carrierOf(decision, at, {
    started: state.agents.filter((agent) => agent.spawnedById === decision.id),
    owner: state.agents.find((agent) => agent.id === decision.agentRunId),
    stepAt: (position) =>
      state.steps.find((step) => step.agentRunId === decision.agentRunId && step.position === position),
    waitsAt: (position) =>
      state.requests.some(
        (request) =>
          request.agentRunId === decision.agentRunId && request.position === position && request.status === "open",
      ),
  });
  if (!carrier) return null;
  const { agentRunId, position } = carrier;
  return { ...carrier, key: position === null ? agentKey(agentRunId) : textKey(agentRunId, position) };
}

type Target = Carrier & { key: string };

function Outcome({
  label,
  target,
  onSelect,
}: {
  label: string;
  target: Target | null;
  onSelect: TabProps["onSelect"];
}) {
  return (
    <li className="outcome">
      <span className="ell grow">{label}</span>
      {target ? (
        <>
          <StatusBadge
            status={target.status}
            reason={target.reason}
            word={target.status === "waiting" && target.position !== null ? "Waiting for you" : null}
          />
          <button
            type="button"
            className="linkbtn row"
            onClick={() => onSelect(target.key)}
            aria-label={`Show ${label}`}
          >
            Show <IconArrowRight size={13} aria-hidden />
          </button>
        </>
      ) : (
        <span className="t3 fs12">no step of its own</span>
      )}
    </li>
  );
}
