import { type Icon, IconAlertTriangle, IconCircleCheck, IconCircleX, IconHelpCircle } from "@tabler/icons-react";
import type { CheckState } from "@/server/system/schema";
import { STATE_WORDS } from "./report-text";

const LOOKS: Record<CheckState, { icon: Icon; color: string }> = {
  problem: { icon: IconCircleX, color: "var(--st-failed)" },
  warning: { icon: IconAlertTriangle, color: "var(--st-waiting)" },
  unknown: { icon: IconHelpCircle, color: "var(--st-queued)" },
  ok: { icon: IconCircleCheck, color: "var(--st-succeeded)" },
};

/** Icon, word, colour. */
export function CheckStateBadge({ state }: { state: CheckState }) {
  const { icon: Glyph, color } = LOOKS[state];
  return (
    <span className="status" style={{ color }}>
      <Glyph size={14} stroke={2} aria-hidden />
      {STATE_WORDS[state]}
    </span>
  );
}
