import { IconArrowRight, IconCheck } from "@tabler/icons-react";
import { DecisionLinks } from "@/components/runs/inspector/decision-links";
import { Loaded } from "@/components/runs/inspector/loaded";
import type { TabProps } from "@/components/runs/inspector/overview-tab";
import { useDecisionDetail } from "@/components/runs/inspector/use-detail";
import { decisionTitle } from "@/components/runs/run-labels";
import { agentKey, decisionKey, type RunNode } from "@/components/runs/run-nodes";
import type { RunState } from "@/components/runs/run-state";
import { Money } from "@/components/ui/money";
import { Note } from "@/components/ui/note";
import { KindIcon, SOURCES, SourceBadge, StatusBadge } from "@/components/ui/status";
import type { DecisionRow } from "@/server/engine/events";
import type { RunStatus } from "@/server/engine/state";
import type { OfferedOption } from "@/server/runs/schema";

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
  return carriedOut ?? own.find((decision) => decision.position === item.position);
}

type ViewProps = { state: RunState; decision: DecisionRow; node: RunNode; onSelect: TabProps["onSelect"] };

function DecisionView({ state, decision, node, onSelect }: ViewProps) {
  const query = useDecisionDetail({ runId: state.run.id, decisionId: decision.id });
  const reasons = reasonsOf(decision);
  return (
    <>
      {node.item.type !== "decision" && (
        <p className="t2">
          <button type="button" className="linkbtn" onClick={() => onSelect(decisionKey(decision.id), "decision")}>
            {decisionTitle(decision)}
          </button>
        </p>
      )}
      <section>
        <div className="row between">
          <h3 className="section-label">Reason</h3>
          <SourceBadge source={decision.source} />
        </div>
        {reasons.map(({ label, reason }) => (
          <blockquote key={`${label} ${reason}`} className="quote">
            {label && <span className="t3 fs12 block">{label}</span>}
            {reason}
          </blockquote>
        ))}
        <p className="t3 fs12 quote-note">{SOURCES[decision.source].means}</p>
      </section>
      <Loaded query={query} what="Options">
        {({ options }) => <Options options={options} decision={decision} />}
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
      <dl>
        <div className="kv">
          <dt>Cost so far</dt>
          <dd>
            <Money nanoUsd={decision.costSoFarNanoUsd} />
            <span className="t3"> of the run when it was taken</span>
          </dd>
        </div>
      </dl>
    </>
  );
}

/** One reason for all, or one for each choice. What was stated for the choices is often their sum: it is not told twice. */
function reasonsOf({ chosen, reason }: DecisionRow): { label: string | null; reason: string }[] {
  const each = chosen.flatMap((choice) => (choice.reason ? [{ label: choice.label, reason: choice.reason }] : []));
  if (each.length === 0) return reason ? [{ label: null, reason }] : [];
  const isTheirSum = reason === null || each.every((choice) => reason.includes(choice.reason));
  const named = chosen.length > 1 ? each : each.map((choice) => ({ ...choice, label: null }));
  return isTheirSum ? named : [{ label: null, reason }, ...named];
}

/** Chosen first; the words are those the model saw at that moment. */
function Options({ options, decision }: { options: readonly OfferedOption[]; decision: DecisionRow }) {
  const chosen = new Set(decision.chosen.map((each) => each.option));
  if (options.length === 0) {
    return <Note tone="info">Nothing else was on offer: a fixed rule led here.</Note>;
  }
  const sorted = [...options].sort((a, b) => Number(chosen.has(b.key)) - Number(chosen.has(a.key)));
  return (
    <section>
      <h3 className="section-label">Options as offered, {options.length}</h3>
      <ul className="opts">
        {sorted.map((option) => {
          const picked = chosen.has(option.key);
          return (
            <li key={option.key} className={`opt${picked ? " chosen" : ""}`}>
              <span className="opt-mark">
                {picked ? (
                  <IconCheck size={15} color="var(--accent)" aria-hidden />
                ) : (
                  <KindIcon kind={option.kind === "action" ? "decision" : option.kind} />
                )}
              </span>
              <span className="b ell">{option.label}</span>
              <span className="opt-note">{picked ? "Chosen" : ""}</span>
              <span className="seen">{option.description}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type Target = { key: string; status: RunStatus; reason: string | null };

/** The child or step that carried a choice out, as it stands now; null while none has begun. */
function targetOf(state: RunState, decision: DecisionRow, at: number): Target | null {
  const chosen = decision.chosen[at];
  if (!chosen) return null;
  const children = state.agents.filter((agent) => agent.spawnedById === decision.id);
  const twins = decision.chosen.slice(0, at).filter((each) => each.option === chosen.option).length;
  const child = children.filter((agent) => chosen.option === `agent:${agent.name}`)[twins];
  if (child) return { key: agentKey(child.id), status: child.status, reason: child.statusReason };
  if (chosen.position === null) return null;
  const key = `${decision.agentRunId}.${chosen.position}`;
  const step = state.steps.find((each) => each.agentRunId === decision.agentRunId && each.position === chosen.position);
  if (step) return { key, status: step.status, reason: null };
  const owner = state.agents.find((agent) => agent.id === decision.agentRunId);
  return owner?.openSteps.some((open) => open.position === chosen.position)
    ? { key, status: "running", reason: null }
    : null;
}

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
          <StatusBadge status={target.status} reason={target.reason} />
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
