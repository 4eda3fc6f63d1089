import type { Answer, AnswerKind, ChosenOption, RequestView } from "@/server/engine/events";
import type { Offer } from "@/server/engine/offers";
import { mayWrite, NONE_OF_THESE } from "./schema";

export type Asked = Pick<RequestView, "kind" | "options"> & { answerKind: AnswerKind };

/** Why a request cannot be answered so, in a sentence that says what it can be; null when it can. */
export function whyNotAnswer(asked: Asked, answer: Answer): string | null {
  const labels = asked.options.map(({ label }) => label).join(", ");
  const takesList = asked.answerKind === "several";
  if (Array.isArray(answer) !== takesList) {
    if (takesList) return `Answer with a list of those that apply, which may be empty: ${labels}.`;
    return labels && !mayWrite(asked) ? `Choose one of: ${labels}.` : "Answer with one text, not with a list.";
  }
  if (mayWrite(asked)) return null;
  const given = [answer].flat();
  if (new Set(given).size < given.length) return "Name each option once.";
  const isOffered = (value: string) => asked.options.some((option) => option.value === value);
  if (given.every(isOffered)) return null;
  return takesList ? `Choose among: ${labels}.` : `Choose one of: ${labels}.`;
}

/** The options an answer takes, each with its label. Words of one's own are the option “other”, an empty list is “none”. */
export function chosenBy(
  { options }: Pick<Asked, "options">,
  answer: Answer,
): Pick<ChosenOption, "option" | "label">[] {
  if (answer.length === 0) return [{ option: "none", label: NONE_OF_THESE }];
  return [answer].flat().map((value) => {
    const option = options.find((offered) => offered.value === value);
    return option ? { option: option.value, label: option.label } : { option: "other", label: value };
  });
}

/** What an answer is a choice among, as it is kept with the decision. */
export function answerOffers(asked: Asked): Offer[] {
  const offers = asked.options.map(
    ({ value, label, description }): Offer => ({ key: value, kind: "action", label, description: description ?? "" }),
  );
  if (asked.answerKind === "several")
    return [...offers, { key: "none", kind: "action", label: NONE_OF_THESE, description: "No option applies." }];
  if (!mayWrite(asked)) return offers;
  return [...offers, { key: "other", kind: "action", label: "Another answer", description: "In words of one's own." }];
}
