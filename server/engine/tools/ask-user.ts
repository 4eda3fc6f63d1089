import { z } from "zod";
import { askPerson } from "../ask-person";
import { turnDecisionId } from "../decide";
import { argumentsOf } from "../turn-decision";
import { type EngineTool, refusal } from "./engine-tool";

// Options may arrive as an array or as a JSON-encoded one (LOK-ESC-06).
const options = z.preprocess(
  (value) => {
    if (typeof value !== "string") return value;
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  },
  z.array(z.string().min(1).max(500)).max(20).default([]),
);

const askArguments = z.object({ question: z.string().trim().min(1).max(4_000), options });

/** user__ask (LOK-ESC-01): one question, a choice of answers; another answer may always be typed. */
export const askUser: EngineTool = {
  kind: "human",
  offer: ({ config }) =>
    config.tools.includes("user__ask")
      ? {
          name: "user__ask",
          description:
            "Ask the person who started this run one question and wait for the answer. Offer options where you can and mark the one you recommend; they may type another. Do not ask about trivia.",
          parameters: {
            type: "object",
            properties: {
              question: { type: "string" },
              options: { type: "array", items: { type: "string" }, description: "Answers to choose from" },
              reason: { type: "string", description: "Why you need to know" },
            },
            required: ["question", "options"],
            additionalProperties: false,
          },
        }
      : null,
  async run(execution, planned) {
    const parsed = askArguments.safeParse(argumentsOf(planned.call));
    if (!parsed.success) {
      return refusal(
        "malformed_arguments",
        `user__ask needs a question and a list of options: ${z.prettifyError(parsed.error)}`,
      );
    }
    const answer = await askPerson(execution, {
      position: planned.position,
      place: `question ${planned.position}`,
      kind: "question",
      prompt: parsed.data.question,
      options: parsed.data.options.map((option) => ({ value: option, label: option })),
      call: null,
      decisionId: turnDecisionId(execution, planned.position),
    });
    return { value: { answer }, unit: execution.endWaiting() };
  },
};
