import type { Outcome, Verdict } from "@/server/decisions/schema";

/** What came of decisions, in a word. */
export const OUTCOME_WORDS: Record<Outcome, string> = {
  completed: "Ended well",
  failed: "Failed or stopped",
  open: "Still open",
  nothing: "No step of its own",
};

/** What people say of decisions, in a word. */
export const VERDICT_WORDS: Record<Verdict, string> = {
  right: "Right",
  wrong: "Wrong",
  better: "Better option",
};

/** "Right 2, Wrong": what several people say, each word once. */
export function verdictCounts(labels: readonly { verdict: Verdict }[]): { verdict: Verdict; count: number }[] {
  const counts = new Map<Verdict, number>();
  for (const { verdict } of labels) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return [...counts].map(([verdict, count]) => ({ verdict, count }));
}
