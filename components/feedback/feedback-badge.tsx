import { type Icon, IconBulb, IconPencilCheck, IconThumbDown, IconThumbUp } from "@tabler/icons-react";
import type { FeedbackType } from "@/server/feedback/schema";
import { FEEDBACK_WORDS } from "./feedback-words";

export const FEEDBACK_LOOKS: Record<FeedbackType, { icon: Icon; tone: string }> = {
  positive: { icon: IconThumbUp, tone: "succeeded" },
  negative: { icon: IconThumbDown, tone: "failed" },
  correction: { icon: IconPencilCheck, tone: "waiting" },
  preference: { icon: IconBulb, tone: "running" },
};

/** Icon, word, colour of what somebody says of an answer. */
export function FeedbackBadge({ type }: { type: FeedbackType }) {
  const { icon: Glyph, tone } = FEEDBACK_LOOKS[type];
  return (
    <span className="status" style={{ color: `var(--st-${tone})` }}>
      <Glyph size={14} stroke={2} aria-hidden />
      {FEEDBACK_WORDS[type]}
    </span>
  );
}
