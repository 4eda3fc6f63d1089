import { z } from "zod";
import { optionsArgument } from "./options-argument";
import { OPTIONS_PARAMETER, questionArgument, userTool } from "./user-tool";

/** user__ask (LOK-ESC-01): one question, a choice of answers; another answer may always be typed. */
export const askUser = userTool({
  name: "user__ask",
  description:
    "Ask the person who started this run one question and wait for the answer. Offer options where you can and mark the one you recommend; they may type another. Do not ask about trivia.",
  parameters: { options: OPTIONS_PARAMETER },
  needs: "a question and a list of options",
  args: z.object({ question: questionArgument, options: optionsArgument }),
  answerKind: "choice",
  result: (answer) => ({ answer }),
});
