import { type Icon, IconCircleCheck, IconCircleDashed, IconCircleX } from "@tabler/icons-react";
import type { Delivery } from "@/server/webhooks/schema";

const LOOKS: Record<Delivery["status"], { word: string; icon: Icon; tone: string }> = {
  waiting: { word: "Waiting", icon: IconCircleDashed, tone: "queued" },
  delivered: { word: "Taken", icon: IconCircleCheck, tone: "succeeded" },
  given_up: { word: "Given up", icon: IconCircleX, tone: "failed" },
};

/** Icon, word, colour of what became of a call. */
export function DeliveryStatus({ delivery: { status, attempts } }: { delivery: Delivery }) {
  const { word, icon: Glyph, tone } = LOOKS[status];
  return (
    <span className="status" style={{ color: `var(--st-${tone})` }}>
      <Glyph size={14} stroke={2} aria-hidden />
      {status === "waiting" && attempts > 0 ? "Tried again" : word}
    </span>
  );
}
