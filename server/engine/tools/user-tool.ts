import { z } from "zod";
import { type AnswerTo, askPersonFor } from "../ask-person";
import { turnDecisionId } from "../decide";
import type { AnswerKind, RequestOption } from "../events";
import { argumentsOf } from "../turn-decision";
import { type EngineTool, refusal } from "./engine-tool";

/** All tools that ask a person are one switch of the agent's configuration. */
const SWITCH = "user__ask";

export const questionArgument = z.string().trim().min(1).max(4_000);

/** As a model is told about options. */
export const OPTIONS_PARAMETER = { type: "array", items: { type: "string" }, description: "Answers to choose from" };

/** LOK-ESC-12. */
const NO_ANSWER = "Nobody answered in time. Use your own judgement and go on.";

type UserTool<Kind extends AnswerKind> = {
  name: string;
  description: string;
  /** Parameters besides the question and the reason; all are required. */
  parameters?: Record<string, unknown>;
  /** For a model whose arguments were something else. */
  needs: string;
  args: z.ZodType<{ question: string; options: RequestOption[] }>;
  answerKind: Kind;
  result: (answer: AnswerTo<Kind>) => unknown;
};

/** A tool that asks a person one question and waits for the answer, for as long as its agent lets people take. */
export function userTool<Kind extends AnswerKind>(tool: UserTool<Kind>): EngineTool {
  const { name, description, parameters = {} } = tool;
  const spec = {
    name,
    description,
    parameters: {
      type: "object",
      properties: {
        question: { type: "string" },
        ...parameters,
        reason: { type: "string", description: "Why you need to know" },
      },
      required: ["question", ...Object.keys(parameters)],
      additionalProperties: false,
    },
  };
  return {
    kind: "human",
    offer: ({ config }) => (config.tools.includes(SWITCH) ? spec : null),
    async run(execution, planned) {
      const parsed = tool.args.safeParse(argumentsOf(planned.call));
      if (!parsed.success) {
        return refusal("malformed_arguments", `${name} needs ${tool.needs}: ${z.prettifyError(parsed.error)}`);
      }
      const answer = await askPersonFor(
        execution,
        {
          position: planned.position,
          place: `question ${planned.position}`,
          kind: "question",
          prompt: parsed.data.question,
          options: parsed.data.options,
          answerKind: tool.answerKind,
          call: null,
          decisionId: turnDecisionId(execution, planned.position),
        },
        execution.config.questionTimeoutMs,
      );
      const unit = execution.endWaiting();
      if (answer === null) return { ...refusal("no_answer", NO_ANSWER), unit };
      return { value: tool.result(answer), unit };
    },
  };
}
