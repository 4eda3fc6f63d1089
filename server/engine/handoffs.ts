import { z } from "zod";

export const HANDOFF_TOOL = "agent__handoff";
/** `status` of its result where the handoff is made. */
export const HANDED_OVER = "handed_over";

/** An agent that ends with this gives the task to another. */
export const handoff = z.object({ agent: z.string(), reason: z.string(), told: z.string() });
export type Handoff = z.infer<typeof handoff>;

/** One of those before it in the run, oldest first. */
export type PastHandoff = { from: string; to: string; told: string };

/** Handed to the same agent again, at least one word in so many must be new. */
const NEW_SHARE = 5;

/**
 * Why a handoff may not be made; null where nothing speaks against it. `limit`: the team's handoffs are used up. `guard`: the same agent gave
 * the task to the same agent before, and what it tells now holds nothing that was not told since, so it would go round in a circle.
 */
export function judgeHandoff(
  past: readonly PastHandoff[],
  { from, to, told }: PastHandoff,
  maxHandoffs: number,
): { kind: "limit" | "guard"; reason: string } | null {
  if (past.length >= maxHandoffs) {
    const made = maxHandoffs === 1 ? "1 handoff was made" : `${maxHandoffs} handoffs were made`;
    return { kind: "limit", reason: `${made}, which is this team's limit.` };
  }
  const before = past.findIndex((one) => one.from === from && one.to === to);
  if (before === -1 || tellsNew(told, past.slice(before))) return null;
  const path = [...past.slice(before).map((one) => one.from), from, to].join(" → ");
  return { kind: "guard", reason: `The task goes round in a circle without anything new: ${path}.` };
}

function tellsNew(told: string, since: readonly PastHandoff[]): boolean {
  const known = new Set(since.flatMap((one) => wordsOf(one.told)));
  const words = [...new Set(wordsOf(told))];
  const fresh = words.filter((word) => !known.has(word));
  return fresh.length > 0 && fresh.length * NEW_SHARE >= words.length;
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
