import { asOperator, inWorkspace, router } from "@/server/trpc/procedures";
import { getRequest, listOpenRequests } from "./queries";
import {
  answerRequestInput,
  answerResult,
  assignRequestInput,
  listRequestsInput,
  requestAssigned,
  requestList,
} from "./schema";
import { answerRequest } from "./service/answer";
import { assignRequest } from "./service/assign";

export const requestsRouter = router({
  list: inWorkspace
    .input(listRequestsInput)
    .output(requestList)
    .query(({ ctx, input }) => listOpenRequests(ctx.scope, input)),

  assign: asOperator
    .input(assignRequestInput)
    .output(requestAssigned)
    .mutation(async ({ ctx, input }) => {
      await assignRequest({ scope: ctx.scope, input });
      return getRequest(ctx.scope.workspaceId, input.requestId);
    }),

  answer: asOperator
    .input(answerRequestInput)
    .output(answerResult)
    .mutation(async ({ ctx, input }) => {
      const { requestId, counted } = await answerRequest({ scope: ctx.scope, input });
      return { request: await getRequest(ctx.scope.workspaceId, requestId), counted };
    }),
});
