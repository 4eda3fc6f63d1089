import { type Asked, whyNotAnswer } from "@/server/requests/rules";
import { answerText } from "@/server/requests/schema";
import { type Answer, requestAnswer } from "./events";

/**
 * An agent's reply as an answer: the same rule as for a person's. Models get leeway in how they write it: a list may come as JSON text, and
 * an option by its label, in capitals or not. `whyNot` is a sentence for the model.
 */
export function readReply(asked: Asked, reply: unknown): { answer: Answer } | { whyNot: string } {
  const isList = asked.answerKind === "several";
  const given = requestAnswer.safeParse(isList ? decoded(reply) : reply);
  // Something that is neither text nor list is as wrong as one in place of the other.
  const answer = given.success ? optionsIn(asked, given.data) : isList ? "" : [];
  const whyNot = whyNotAnswer(asked, answer);
  if (whyNot) return { whyNot };
  if (typeof answer !== "string") return { answer };
  const text = answerText.safeParse(answer);
  return text.success ? { answer: text.data } : { whyNot: text.error.issues[0]?.message ?? "Write an answer." };
}

function decoded(reply: unknown): unknown {
  if (typeof reply !== "string") return reply;
  try {
    return JSON.parse(reply);
  } catch {
    return reply;
  }
}

function optionsIn(asked: Asked, answer: Answer): Answer {
  return typeof answer === "string" ? optionFor(asked, answer) : answer.map((one) => optionFor(asked, one));
}

function optionFor({ options }: Asked, text: string): string {
  const plain = (words: string) => words.trim().toLowerCase();
  const exact = options.find(({ value }) => value === text);
  const meant = options.find(({ value, label }) => [value, label].map(plain).includes(plain(text)));
  return (exact ?? meant)?.value ?? text;
}
