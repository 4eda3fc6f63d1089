import { z } from "zod";
import { asOperator, inWorkspace, router } from "@/server/trpc/procedures";
import { countFeedback, listFeedback } from "./queries/list-feedback";
import { listOnConversation, listOnRun } from "./queries/list-on-answers";
import {
  changeFeedbackInput,
  feedbackCounts,
  feedbackEntry,
  feedbackFilters,
  feedbackGiven,
  feedbackIdInput,
  feedbackPage,
  giveFeedbackInput,
  listFeedbackInput,
  onConversationInput,
  onRunInput,
} from "./schema";
import { changeFeedback, giveFeedback, removeFeedback } from "./service/give-feedback";

export const feedbackRouter = router({
  list: inWorkspace
    .input(listFeedbackInput)
    .output(feedbackPage)
    .query(({ ctx, input }) => listFeedback(ctx.scope.workspaceId, input)),

  counts: inWorkspace
    .input(feedbackFilters)
    .output(feedbackCounts)
    .query(({ ctx, input }) => countFeedback(ctx.scope.workspaceId, input)),

  onRun: inWorkspace
    .input(onRunInput)
    .output(z.array(feedbackEntry))
    .query(({ ctx, input }) => listOnRun(ctx.scope.workspaceId, input.runId)),

  onConversation: inWorkspace
    .input(onConversationInput)
    .output(z.array(feedbackEntry))
    .query(({ ctx, input }) => listOnConversation(ctx.scope.workspaceId, input.conversationId)),

  give: asOperator
    .input(giveFeedbackInput)
    .output(feedbackGiven)
    .mutation(({ ctx, input }) => giveFeedback(ctx.scope, input)),

  change: asOperator
    .input(changeFeedbackInput)
    .output(feedbackGiven)
    .mutation(async ({ ctx, input }) => {
      await changeFeedback(ctx.scope, input);
      return { feedbackId: input.feedbackId };
    }),

  remove: asOperator
    .input(feedbackIdInput)
    .output(feedbackGiven)
    .mutation(async ({ ctx, input }) => {
      await removeFeedback(ctx.scope, input.feedbackId);
      return { feedbackId: input.feedbackId };
    }),
});
