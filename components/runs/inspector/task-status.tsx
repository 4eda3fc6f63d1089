import {
  type Icon,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconLoader2,
  IconLock,
  IconPlayerPause,
} from "@tabler/icons-react";
import type { StatusTone } from "@/components/ui/status-words";
import type { TaskRow } from "@/server/engine/events";

const STATES: Record<TaskRow["status"], { word: string; icon: Icon; tone: StatusTone; means: string }> = {
  pending: {
    word: "Ready",
    icon: IconCircleDashed,
    tone: "queued",
    means: "It waits for nothing but to be given out.",
  },
  blocked: { word: "Blocked", icon: IconLock, tone: "queued", means: "It waits for other tasks." },
  in_progress: { word: "In progress", icon: IconLoader2, tone: "running", means: "Somebody works on it." },
  completed: { word: "Done", icon: IconCircleCheck, tone: "succeeded", means: "It is done." },
  failed: { word: "Failed", icon: IconCircleX, tone: "failed", means: "It could not be done." },
};

type Props = {
  status: TaskRow["status"];
  /** Nothing moves in its run. */
  still?: boolean;
};

/** Icon, word, colour of a task; what the state means on hover. */
export function TaskStatus({ status, still = false }: Props) {
  const { word, icon, tone, means } = STATES[status];
  const isStill = status === "in_progress" && still;
  const Glyph = isStill ? IconPlayerPause : icon;
  const color = isStill ? "var(--st-cancelled)" : `var(--st-${tone})`;
  return (
    <span className="status" title={means} style={{ color }}>
      <Glyph size={14} stroke={2} className={status === "in_progress" && !still ? "spin" : undefined} aria-hidden />
      {isStill ? "Not finished" : word}
    </span>
  );
}

/** The word in the middle of a sentence. */
export const taskWord = (status: TaskRow["status"]) => STATES[status].word.toLowerCase();
