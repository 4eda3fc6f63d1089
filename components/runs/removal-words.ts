import { formatBytes, formatPlural } from "@/components/ui/format";
import { isHeld, isTerminal, type RunStatus } from "@/server/engine/state";
import type { RemovalPlan, RunRefusal } from "@/server/runs/list-schema";

export const NOTHING_PLANNED: RemovalPlan = {
  ...{ runs: 0, steps: 0, decisions: 0, bytes: 0, held: 0, openRequests: 0, knownCalls: 0, turns: 0, descendants: 0 },
  refused: [],
};

/** What two parts of a removal come to. */
export function addPlans(one: RemovalPlan, other: RemovalPlan): RemovalPlan {
  return {
    runs: one.runs + other.runs,
    steps: one.steps + other.steps,
    decisions: one.decisions + other.decisions,
    bytes: one.bytes + other.bytes,
    held: one.held + other.held,
    openRequests: one.openRequests + other.openRequests,
    knownCalls: one.knownCalls + other.knownCalls,
    turns: one.turns + other.turns,
    descendants: one.descendants + other.descendants,
    refused: [...one.refused, ...other.refused],
  };
}

/** What goes, a line each. */
export function whatGoes({ runs, steps, decisions, bytes, openRequests, knownCalls }: RemovalPlan): string[] {
  return [
    `${formatPlural(runs, "run")} with ${runs === 1 ? "its input, answer" : "their inputs, answers"}, events and costs`,
    `${formatPlural(steps, "step")} and ${formatPlural(decisions, "decision")}, with what was said in them`,
    ...(openRequests > 0 ? [`${formatPlural(openRequests, "open question")} nobody answered`] : []),
    ...(knownCalls > 0
      ? [
          `What ${formatPlural(knownCalls, "call")} of a tool came to: when an agent makes the same call again, it acts again`,
        ]
      : []),
    `${formatBytes(bytes)} in the database, and large values nothing else names`,
  ];
}

/** What stays although it belongs with what goes, a line each. */
export function whatStays({ runs, turns, descendants }: RemovalPlan): string[] {
  const them = runs === 1 ? "it" : "them";
  return [
    ...(turns > 0
      ? [
          turns === 1
            ? "The conversation it is a turn of, with its other turns: it says that this one was removed, and later answers do not know it"
            : `The conversations ${formatPlural(turns, "turn")} of which are among them: they say which were removed, and later answers do not know them`,
        ]
      : []),
    ...(descendants > 0 ? [`${formatPlural(descendants, "other run")} made from ${them}, without the link`] : []),
    `What ${runs === 1 ? "it" : "they"} cost, in what the workspace spent today and in its limits`,
    `Who deleted ${them}, and when`,
  ];
}

const NAMED = 5;

/** Refused runs by reason: the reason, how many, and the first few by name. */
export function refusalsByReason(refused: readonly RunRefusal[]): { why: string; count: number; titles: string[] }[] {
  return [...new Set(refused.map(({ why }) => why))].map((why) => {
    const runs = refused.filter((refusal) => refusal.why === why);
    return { why, count: runs.length, titles: runs.flatMap(({ title }) => title ?? []).slice(0, NAMED) };
  });
}

/** Why a run cannot be deleted as it stands, as its menu says it; null when it can. */
export function whyNotRemove(status: RunStatus): string | null {
  return isTerminal(status) || isHeld(status) ? null : "It is at work. Stop it first to delete it.";
}
