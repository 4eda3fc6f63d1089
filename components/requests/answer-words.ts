import { formatClock, formatTimeLeft } from "@/components/ui/format";
import type { Answer, RequestView } from "@/server/engine/events";
import { NONE_OF_THESE } from "@/server/requests/schema";

/** What an agent does with a request, after its name. */
export const REQUEST_VERBS: Record<RequestView["kind"], string> = {
  question: "asks",
  approval: "asks for permission",
  uncertain_effect: "needs to know",
  loop: "keeps making the same call",
  budget: "asks before the run spends more",
};

/** Whether somebody's answer would still count. Until then the agents above may be asked, or people. */
export function isUnanswered({ status }: Pick<RequestView, "status">): boolean {
  return status === "open" || status === "escalated";
}

/**
 * Who is asked, while the agents above are: "Asked of the agents above until 12:03:05, 3 min from now; then a person is asked".
 * `nowMs` null: not known yet.
 */
export function escalationSentence(
  { escalatedUntil }: Pick<RequestView, "escalatedUntil">,
  nowMs: number | null,
): string {
  if (escalatedUntil === null) return "Asked of the agents above; without an answer a person is asked";
  const until = new Date(escalatedUntil);
  const left = nowMs === null ? null : until.getTime() - nowMs;
  if (left !== null && left <= 0) return "No agent above answered in time; a person is asked next";
  const soon = left === null ? "" : `, ${formatTimeLeft(left)} from now`;
  return `Asked of the agents above until ${formatClock(until)}${soon}; then a person is asked`;
}

type Choices = Pick<RequestView, "options">;

/** The labels of what was answered: of the options, and the words themselves where they were written freely. */
export function answerLabels(request: Choices, answer: Answer): string[] {
  if (answer.length === 0) return [NONE_OF_THESE];
  return [answer].flat().map((value) => request.options.find((option) => option.value === value)?.label ?? value);
}

/** “Short”, “In detail” */
function quoted(request: Choices, answer: Answer): string {
  return answerLabels(request, answer)
    .map((label) => `“${label}”`)
    .join(", ");
}

/** What a closed request says for good. Null while it may be answered. */
export function closedSentence(request: RequestView): string | null {
  const answer = request.answer === null ? null : quoted(request, request.answer);
  switch (request.status) {
    case "escalated":
    case "open":
      return null;
    case "answered":
      return `${request.answeredBy ?? "Somebody"} answered ${answer ?? "it"}`;
    case "expired":
      if (answer === null && request.kind === "approval") return "The deadline passed, so the call was not allowed";
      return answer === null
        ? "The deadline passed without an answer"
        : `The deadline passed, so the default ${answer} counts`;
    case "withdrawn":
      return "The run no longer needs an answer";
  }
}

/** What an answer that counts means for whoever reads it; null for a request that was not answered. `counted`: whether theirs was it. */
export function aftermathSentence(request: RequestView, counted: boolean | null): string | null {
  if (counted === false) return "It was closed before your answer arrived, so yours was not used.";
  if (request.status !== "answered") return null;
  if (counted) return "Recorded as your answer; answering again changes nothing.";
  if (request.answeredByAgentId !== null) return "An agent above answered, so no person was asked.";
  return "Answering again changes nothing.";
}

/** What happens at the deadline: "then “No”". */
export function deadlineOutcome(request: RequestView): string {
  if (request.defaultAnswer === null) {
    return request.kind === "approval" ? "then the call is not allowed" : "then it goes on without an answer";
  }
  return `then ${quoted(request, request.defaultAnswer)} counts`;
}
