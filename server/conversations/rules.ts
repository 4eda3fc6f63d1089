import { isTerminal, type RunStatus } from "@/server/engine/state";

export const UNTITLED = "New conversation";

type Moment = {
  target: { kind: "team" | "agent"; name: string; isDeleted: boolean };
  /** Status of the newest run; null before the first question. */
  status: RunStatus | null;
  openRequests: number;
  /** Names of attachments that are still being read. */
  unread: readonly string[];
};

/** Why no further question can be asked now, in a sentence that says what to do; null when one can. */
export function whyNotAsk({ target, status, openRequests, unread }: Moment): string | null {
  if (target.isDeleted)
    return `The ${target.kind} “${target.name}” was deleted. Start a new conversation with another.`;
  if (status !== null && !isTerminal(status)) {
    if (status === "interrupted") return "The last question was interrupted. Stop it, then ask again.";
    if (openRequests > 0) return "The last question waits for your answer. Answer it or stop it.";
    if (status === "paused" || status === "suspended") return "The last question stands still. Resume it or stop it.";
    return "The last question is still being answered. Wait for it or stop it.";
  }
  if (unread.length === 0) return null;
  return unread.length === 1
    ? `“${unread[0]}” is still being read. Ask when it is ready, or remove it.`
    : `${unread.length} files are still being read: ${unread.join(", ")}. Ask when they are ready, or remove them.`;
}
