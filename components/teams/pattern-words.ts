import type { Combination, Judge } from "@/server/engine/pattern-settings";
import type { TeamDraft } from "@/server/teams/schema";

/** What becomes of the results of a broadcast. */
export const COMBINED: Record<Combination, { word: string; does: string }> = {
  supervisor: {
    word: "The supervisor compares them",
    does: "Its model leads: it gives out the task, waits, and writes the answer.",
  },
  all: { word: "All, side by side", does: "The answer is every result under the name of its agent." },
  first: {
    word: "The first that comes",
    does: "The first result is the answer; the others are stopped. If nobody comes in time, that is the answer.",
  },
  majority: {
    word: "The most common",
    does: "Answers that differ only in case, spacing or punctuation around them are the same. In a tie the first agent's stands.",
  },
  best: {
    word: "The best, by score",
    does: "The supervisor's model scores each result from 0 to 10; the highest is the answer, word for word.",
  },
  synthesis: {
    word: "One answer from all",
    does: "The supervisor's model writes the answer from all results, in one call.",
  },
};

/** Who decides a debate in which they do not come to agree. */
export const JUDGED: Record<Judge, { word: string; does: string }> = {
  model: {
    word: "The supervisor's model",
    does: "It is asked once, and chooses the answer of one agent, with its reason.",
  },
  majority: {
    word: "The majority",
    does: "The most common answer stands; in a tie the first agent's. For short answers that can be equal.",
  },
};

/** "pipeline", "broadcast: all, side by side" */
export function patternWords({ pattern, patternSettings }: Pick<TeamDraft, "pattern" | "patternSettings">): string {
  const { broadcast, debate, handoff } = patternSettings;
  if (pattern === "broadcast") return broadcastWords(broadcast);
  if (pattern === "handoff") return `handoff: at most ${handoff.maxHandoffs}`;
  if (pattern !== "debate") return pattern;
  const rounds = debate.rounds === 1 ? "1 round" : `${debate.rounds} rounds`;
  return `debate: ${rounds}, then ${JUDGED[debate.judge].word.toLowerCase()}`;
}

function broadcastWords({ combine, timeLimitMs }: TeamDraft["patternSettings"]["broadcast"]): string {
  if (combine === "supervisor") return "broadcast";
  const within = combine === "first" ? ` within ${timeLimitMs / 1_000} s` : "";
  return `broadcast: ${COMBINED[combine].word.toLowerCase()}${within}`;
}
