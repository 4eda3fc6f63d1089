import { z } from "zod";
import { optionsArgument } from "./options-argument";
import { OPTIONS_PARAMETER, questionArgument, userTool } from "./user-tool";

/** user__checkbox (LOK-ESC-04): a question of whose options any number may be ticked; the answer is always a list. */
export const checkboxUser = userTool({
  name: "user__checkbox",
  description:
    "Ask the person who started this run which of several options apply, and wait. They may tick any number of them, also none.",
  parameters: { options: OPTIONS_PARAMETER },
  needs: "a question and a list of at least one option",
  args: z.object({
    question: questionArgument,
    options: optionsArgument.refine(({ length }) => length > 0, "at least one option"),
  }),
  answerKind: "several",
  result: (answers) => ({ answers }),
});
