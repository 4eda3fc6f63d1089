import { type Icon, IconCircleCheck, IconCircleDashed, IconCircleX, IconLoader2 } from "@tabler/icons-react";
import type { Outcome } from "@/server/decisions/schema";
import { OUTCOME_WORDS } from "./decision-words";

const LOOKS: Record<Outcome, { icon: Icon; tone: string }> = {
  completed: { icon: IconCircleCheck, tone: "succeeded" },
  failed: { icon: IconCircleX, tone: "failed" },
  open: { icon: IconLoader2, tone: "running" },
  nothing: { icon: IconCircleDashed, tone: "queued" },
};

/** Icon, word, colour of what came of a decision. */
export function OutcomeWord({ outcome }: { outcome: Outcome }) {
  const { icon: Glyph, tone } = LOOKS[outcome];
  return (
    <span className="status" style={{ color: `var(--st-${tone})` }}>
      <Glyph size={14} stroke={2} aria-hidden />
      {OUTCOME_WORDS[outcome]}
    </span>
  );
}

/** The same where there is little room, beside what says that it is a decision: what went well is its icon only, and what nothing carried out shows nothing. */
export function OutcomeMark({ outcome }: { outcome: Outcome }) {
  if (outcome === "nothing") return null;
  const { icon: Glyph, tone } = LOOKS[outcome];
  const isWell = outcome === "completed";
  return (
    <span className="status" style={{ color: `var(--st-${tone})` }} title={OUTCOME_WORDS[outcome]}>
      <Glyph size={14} stroke={2} aria-hidden />
      {isWell ? <span className="sr">{OUTCOME_WORDS[outcome]}</span> : SHORT_WORDS[outcome]}
    </span>
  );
}

const SHORT_WORDS = { failed: "Failed", open: "Open" } as const;
