import { z } from "zod";
import { questionArgument, userTool } from "./user-tool";

/** user__input (LOK-ESC-03): a question that is answered in one's own words. */
export const inputUser = userTool({
  name: "user__input",
  description:
    "Ask the person who started this run for something they have to write themselves, and wait for the text.",
  needs: "a question",
  args: z.object({ question: questionArgument }).transform((args) => ({ ...args, options: [] })),
  answerKind: "choice",
  result: (answer) => ({ answer }),
});
