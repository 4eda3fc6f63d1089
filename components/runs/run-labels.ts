import type { DecisionKind, DecisionRow, RequestView } from "@/server/engine/events";

/** What an agent did when it chose, as a verb. */
export const DECISION_WORDS: Record<DecisionKind, string> = {
  delegate: "Delegate",
  tool_choice: "Call",
  finish: "Finish",
  retry: "Retry",
  limit: "Limit",
  answer: "Answer",
  uncertain_effect: "Uncertain effect",
  stop: "Stop",
  takeover: "Take over",
};

/** "Searcher, Fact-checker"; the same option twice reads "Searcher ×2". */
function chosenWords(decision: Pick<DecisionRow, "chosen">): string {
  const counts = new Map<string, number>();
  for (const { label } of decision.chosen) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].map(([label, count]) => (count > 1 ? `${label} ×${count}` : label)).join(", ");
}

/** What was chosen, where that says more than the kind does. */
export function decisionContext(decision: Pick<DecisionRow, "kind" | "chosen">): string | null {
  const chosen = chosenWords(decision);
  return chosen && chosen !== DECISION_WORDS[decision.kind] ? chosen : null;
}

export function decisionTitle(decision: Pick<DecisionRow, "kind" | "chosen">): string {
  const context = decisionContext(decision);
  return context ? `${DECISION_WORDS[decision.kind]} → ${context}` : DECISION_WORDS[decision.kind];
}

/** What became of a request, in a few words; null while it is open. */
export function requestOutcome(request: RequestView): string | null {
  const answer = request.options.find((option) => option.value === request.answer)?.label ?? request.answer;
  switch (request.status) {
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
