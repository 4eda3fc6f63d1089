import {
  type Icon,
  IconAlertCircle,
  IconChecks,
  IconCircleCheck,
  IconCircleDashed,
  IconLoader2,
} from "@tabler/icons-react";
import type { DeadLetterView } from "@/server/dead-letters/schema";

const LOOKS: Record<DeadLetterView["status"], { word: string; icon: Icon; tone: string }> = {
  open: { word: "Open", icon: IconAlertCircle, tone: "waiting" },
  requested: { word: "Waits for a worker", icon: IconCircleDashed, tone: "queued" },
  replaying: { word: "Being made again", icon: IconLoader2, tone: "running" },
  replayed: { word: "Made again", icon: IconCircleCheck, tone: "succeeded" },
  acknowledged: { word: "Acknowledged", icon: IconChecks, tone: "cancelled" },
};

/** Icon, word, colour of what became of a dead letter. */
export function DeadLetterStatus({ status }: { status: DeadLetterView["status"] }) {
  const { word, icon: Glyph, tone } = LOOKS[status];
  return (
    <span className="status" style={{ color: `var(--st-${tone})` }}>
      <Glyph size={14} stroke={2} className={status === "replaying" ? "spin" : undefined} aria-hidden />
      {word}
    </span>
  );
}
