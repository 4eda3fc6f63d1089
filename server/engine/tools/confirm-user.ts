import { z } from "zod";
import { questionArgument, userTool } from "./user-tool";

/** The first is the one that is preselected. */
const YES_OR_NO = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

/** user__confirm (LOK-ESC-02): a question that is answered with yes or no. */
export const confirmUser = userTool({
  name: "user__confirm",
  description:
    "Ask the person who started this run a question that is answered with yes or no, and wait. Put it so that yes means to go on.",
  needs: "a question",
  args: z.object({ question: questionArgument }).transform((args) => ({ ...args, options: YES_OR_NO })),
  answerKind: "confirm",
  result: (answer) => ({ answer }),
});
