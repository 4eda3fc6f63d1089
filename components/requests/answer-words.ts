import type { RequestView } from "@/server/engine/events";

type Choices = Pick<RequestView, "options">;

/** The label of an answer that was one of the options; the answer itself when it was written freely. */
export function answerLabel(request: Choices, answer: string): string {
  return request.options.find((option) => option.value === answer)?.label ?? answer;
}

/** What a closed request says for good. Null while it is open. */
export function closedSentence(request: RequestView): string | null {
  const answer = request.answer === null ? null : answerLabel(request, request.answer);
  switch (request.status) {
    case "open":
      return null;
    case "answered":
      return `${request.answeredBy ?? "Somebody"} answered “${answer ?? ""}”`;
    case "expired":
      return answer === null
        ? "The deadline passed without an answer"
        : `The deadline passed, so the default “${answer}” counts`;
    case "withdrawn":
      return "The run no longer needs an answer";
  }
}

/** What happens at the deadline: "then “No”". */
export function deadlineOutcome(request: RequestView): string {
  if (request.defaultAnswer === null) return "then it goes on without an answer";
  return `then “${answerLabel(request, request.defaultAnswer)}” counts`;
}
