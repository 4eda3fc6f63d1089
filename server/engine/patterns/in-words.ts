import type { Briefed } from "../briefing";
import { isLedByEngine } from "../may-spawn";
import type { Combination, Judge } from "../pattern-settings";

const COMBINED: Record<Exclude<Combination, "supervisor">, string> = {
  all: "the answer is all their results, side by side.",
  first: "the first result is the answer, and the others are stopped.",
  majority: "the most common result is the answer.",
  best: "its model is then asked once, to score each result; the highest is the answer.",
  synthesis: "its model is then asked once, to write the answer from all results.",
};

const JUDGED: Record<Judge, string> = {
  model: "its model is asked once, to choose one of the answers.",
  majority: "the most common answer is.",
};

/** What the engine does in the place of this agent's model, for whoever builds the team; null where its model leads. */
export function ledInWords(briefed: Briefed): string | null {
  if (!isLedByEngine(briefed)) return null;
  const names = briefed.spawnable.map(({ name }) => name);
  const all = names.join(", ") || "the agents below";
  const who = `${briefed.name} is not asked how to go on: the engine leads. It gives the task to`;
  const { broadcast, debate, handoff } = briefed.patternSettings;
  if (briefed.pattern === "broadcast" && broadcast.combine !== "supervisor") {
    return `${who} ${all} at the same time; ${COMBINED[broadcast.combine]}`;
  }
  if (briefed.pattern === "handoff") {
    const most = handoff.maxHandoffs === 1 ? "once" : `${handoff.maxHandoffs} times`;
    return `${who} ${names[0] ?? "the first agent below"}; whoever has it answers, or hands it over to another of ${all}, at most ${most} in all. The answer of the last is the answer.`;
  }
  if (briefed.pattern === "debate") {
    const rounds = debate.rounds === 1 ? "for one round" : `for up to ${debate.rounds} rounds`;
    return `${who} ${all} at the same time; then, ${rounds}, each answers again with the last answers of all. When all say the same that is the answer; else ${JUDGED[debate.judge]}`;
  }
  return `${who} ${names.join(", then ") || "the agents below"}; each also gets the result of the one before it, and the last result is the answer.`;
}
