import { asOperator, inWorkspace, router } from "@/server/trpc/procedures";
import { getRequest, listOpenRequests } from "./queries";
import { answerRequestInput, answerResult, listRequestsInput, requestList } from "./schema";
import { answerRequest } from "./service";

export const requestsRouter = router({
  list: inWorkspace
    .input(listRequestsInput)
    .output(requestList)
    .query(({ ctx, input }) => listOpenRequests(ctx.scope.workspaceId, input)),

  answer: asOperator
    .input(answerRequestInput)
    .output(answerResult)
    .mutation(async ({ ctx, input }) => {
      const { requestId, counted } = await answerRequest({ scope: ctx.scope, input });
      return { request: await getRequest(ctx.scope.workspaceId, requestId), counted };
    }),
});
