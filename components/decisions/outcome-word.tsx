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
