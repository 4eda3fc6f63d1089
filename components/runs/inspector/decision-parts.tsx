import { IconCheck } from "@tabler/icons-react";
import { Note } from "@/components/ui/note";
import { KindIcon, SOURCES, SourceBadge } from "@/components/ui/status";
import type { DecisionRow } from "@/server/engine/events";
import type { OfferedOption } from "@/server/runs/schema";

/** Why, and where that is known from. */
export function DecisionReason({ decision }: { decision: DecisionRow }) {
  const reasons = reasonsOf(decision);
  return (
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
  );
}

/** One reason for all, or one for each choice. What was stated for the choices is often their sum: it is not told twice. */
export function reasonsOf({ chosen, reason }: DecisionRow): { label: string | null; reason: string }[] {
  const each = chosen.flatMap((choice) => (choice.reason ? [{ label: choice.label, reason: choice.reason }] : []));
  if (each.length === 0) return reason ? [{ label: null, reason }] : [];
  const isTheirSum = reason === null || each.every((choice) => reason.includes(choice.reason));
  const named = chosen.length > 1 ? each : each.map((choice) => ({ ...choice, label: null }));
  return isTheirSum ? named : [{ label: null, reason }, ...named];
}

/** Chosen first; the words are those the model saw at that moment. */
export function DecisionOptions({ options, decision }: { options: readonly OfferedOption[]; decision: DecisionRow }) {
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
