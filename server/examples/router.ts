import { z } from "zod";
import { asOwner, inWorkspace, router } from "@/server/trpc/procedures";
import { planRemoval } from "./queries/plan-removal";
import { exampleView } from "./schema";
import { removeExamples } from "./service";

/** What a new workspace holds to be looked at, and how to be rid of it. */
export const examplesRouter = router({
  list: inWorkspace.output(z.array(exampleView)).query(({ ctx }) => planRemoval(ctx.scope.workspaceId)),

  /** Answers with what went and what stayed. */
  remove: asOwner.output(z.array(exampleView)).mutation(({ ctx }) => removeExamples(ctx.scope)),
});
