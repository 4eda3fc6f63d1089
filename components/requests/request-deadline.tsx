"use client";

import { IconClock } from "@tabler/icons-react";
import { formatExact, formatTimeLeft } from "@/components/ui/format";
import { useNow } from "@/components/ui/now";
import type { RequestView } from "@/server/engine/events";
import { deadlineOutcome } from "./answer-words";

/** Under this much time left a deadline is shown as urgent. */
const SOON_MS = 10 * 60_000;

const HELD = "Its deadline stands still while the run is held";

type Props = {
  request: RequestView;
  brief?: boolean;
  /** Its run is held, and no time passes in it. */
  isHeld?: boolean;
};

/** "24 min left, then “Yes” counts". A request without a deadline waits for ever, and says so. */
export function RequestDeadline({ request, brief, isHeld }: Props) {
  const now = useNow("second");
  if (request.deadlineAt === null) return brief ? null : <span className="due">No deadline: it waits for you</span>;
  if (isHeld) return <span className="due">{brief ? "Deadline stands still" : HELD}</span>;
  const deadline = new Date(request.deadlineAt);
  const left = now === null ? null : deadline.getTime() - now;
  const words = left === null ? "" : left > 0 ? `${formatTimeLeft(left)} left` : "Deadline passed";
  return (
    <span
      className={left !== null && left < SOON_MS ? "due soon" : "due"}
      title={left === null ? undefined : formatExact(deadline)}
    >
      <IconClock size={12} aria-hidden />
      {brief ? words : `${words}${left !== null && left <= 0 ? ":" : ","} ${deadlineOutcome(request)}`}
    </span>
  );
}
