import { asOwner, inWorkspace, router } from "@/server/trpc/procedures";
import { estimateFinding } from "./queries/estimate-finding";
import { getFinding } from "./queries/get-finding";
import { findingEstimate, findingModelInput, findingView } from "./schema";
import { chooseModel } from "./service/choose-model";

export const findingRouter = router({
  get: inWorkspace.output(findingView).query(({ ctx }) => getFinding(ctx.scope.workspaceId)),

  /** What choosing a model would send to its provider, and cost. */
  estimate: asOwner
    .input(findingModelInput)
    .output(findingEstimate)
    .query(({ ctx, input }) => estimateFinding(ctx.scope.workspaceId, input.embeddingModel)),

  choose: asOwner
    .input(findingModelInput)
    .output(findingView)
    .mutation(({ ctx, input }) => chooseModel({ scope: ctx.scope, input })),
});
