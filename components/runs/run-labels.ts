import { answerLabels } from "@/components/requests/answer-words";
import type { DecisionKind, DecisionRow, RequestView } from "@/server/engine/events";

/** What an agent did when it chose, as a verb. */
export const DECISION_WORDS: Record<DecisionKind, string> = {
  delegate: "Delegate",
  handoff: "Hand over",
  tool_choice: "Call",
  finish: "Finish",
  retry: "Retry",
  limit: "Limit",
  answer: "Answer",
  uncertain_effect: "Uncertain effect",
  approval: "Approval",
  stop: "Stop",
  pause: "Pause",
  resume: "Resume",
  steer: "Steer",
  budget: "Budget",
  takeover: "Take over",
  guard: "Loop guard",
  continue: "Open items",
  summary: "Long result",
  compaction: "Long conversation",
  dispatch: "Dispatch",
  escalation: "Escalate",
  cache_hit: "Known call",
  refusal: "Refusal",
  fork: "Retry from a step",
  fallback: "Stand-in",
};

/** "Searcher, Fact-checker"; the same name twice reads "Searcher ×2". */
export function countedNames(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name)).join(", ");
}

/** What a title is made of. */
type Labelled = Pick<DecisionRow, "kind" | "reason"> & { chosen: readonly { label: string }[] };

/** What was chosen, where that says more than the kind does; of what a person said, who said what. */
export function decisionContext(decision: Labelled): string | null {
  if (decision.kind === "steer" && decision.reason) return decision.reason.split("\n", 1)[0] ?? null;
  const chosen = countedNames(decision.chosen.map(({ label }) => label));
  return chosen && chosen !== DECISION_WORDS[decision.kind] ? chosen : null;
}

export function decisionTitle(decision: Labelled): string {
  const context = decisionContext(decision);
  return context ? `${DECISION_WORDS[decision.kind]} → ${context}` : DECISION_WORDS[decision.kind];
}

/** What became of a request, in a few words; null while it is open. */
export function requestOutcome(request: RequestView): string | null {
  const answer = request.answer === null ? null : answerLabels(request, request.answer).join(", ");
  switch (request.status) {
    case "escalated":
      return "asked of the agents above";
    case "open":
      return null;
    case "answered":
      return `${request.answeredBy ?? "Somebody"}: ${answer ?? ""}`;
    case "expired":
      return answer ? `no answer in time, so: ${answer}` : "no answer in time";
    case "withdrawn":
      return "withdrawn";
  }
}
