import type { RunState } from "@/components/runs/run-state";
import type { AgentRow, Mail } from "@/server/engine/events";

/** What a letter is, where it is more than a text. */
export const MAIL_WORDS: Record<Mail["kind"], string | null> = {
  text: null,
  // Also of one that failed: its text says how.
  task_completed: "Task ended",
};

/** The letters an agent run shows, oldest first: those it sent or got; the root those of the whole run. */
export function mailsAt({ mails }: Pick<RunState, "mails">, at: AgentRow): Mail[] {
  return mails
    .filter(({ fromId, toId }) => at.parentId === null || fromId === at.id || toId === at.id)
    .sort((a, b) => a.sentAt.localeCompare(b.sentAt) || a.id.localeCompare(b.id));
}

/** "4, 1 of them not read" */
export function mailWords(mails: readonly Mail[]): string {
  const unread = mails.filter(({ readAt }) => readAt === null).length;
  return unread > 0 ? `${mails.length}, ${unread} of them not read` : String(mails.length);
}
