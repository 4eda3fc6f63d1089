import type { Mail } from "./events";
import type { JournalUnit } from "./journal/unit";

/** What is read first (LOK-MSG-05). Agents are cancelled at once, so no letter asks one to stop. */
const RANKS: Record<Mail["kind"], number> = { task_completed: 0, text: 1 };

/** The order in which letters are read: by kind, then as they were sent. */
export function readingOrder<T extends Pick<Mail, "id" | "kind" | "sentAt">>(mails: readonly T[]): T[] {
  return mails.toSorted(
    (a, b) => RANKS[a.kind] - RANKS[b.kind] || a.sentAt.localeCompare(b.sentAt) || a.id.localeCompare(b.id),
  );
}

/** A letter that is sent, and the event that says so. */
export function mailUnit(mail: Omit<Mail, "readAt">): JournalUnit {
  return { mails: [mail], events: [{ body: { kind: "mail.sent", mail: { ...mail, readAt: null } } }] };
}
