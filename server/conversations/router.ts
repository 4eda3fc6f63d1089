import { runStarted } from "@/server/runs/schema";
import { asOperator, inWorkspace, router } from "@/server/trpc/procedures";
import { getConversation } from "./queries/get-conversation";
import { listConversationChoices } from "./queries/list-choices";
import { listConversations } from "./queries/list-conversations";
import {
  askInput,
  conversationChoices,
  conversationChoicesInput,
  conversationDetail,
  conversationIdInput,
  conversationPage,
  conversationRemoved,
  conversationRenamed,
  conversationStarted,
  getConversationInput,
  listConversationsInput,
  renameConversationInput,
  startConversationInput,
} from "./schema";
import { ask, removeConversation, renameConversation, startConversation } from "./service";

export const conversationsRouter = router({
  list: inWorkspace
    .input(listConversationsInput)
    .output(conversationPage)
    .query(({ ctx, input }) => listConversations(ctx.scope.workspaceId, input)),

  choices: inWorkspace
    .input(conversationChoicesInput)
    .output(conversationChoices)
    .query(({ ctx, input }) => listConversationChoices(ctx.scope.workspaceId, input)),

  get: inWorkspace
    .input(getConversationInput)
    .output(conversationDetail)
    .query(({ ctx, input }) => getConversation(ctx.scope.workspaceId, input)),

  start: asOperator
    .input(startConversationInput)
    .output(conversationStarted)
    .mutation(({ ctx, input }) => startConversation({ scope: ctx.scope, input })),

  ask: asOperator
    .input(askInput)
    .output(runStarted)
    .mutation(({ ctx, input }) => ask({ scope: ctx.scope, input })),

  rename: asOperator
    .input(renameConversationInput)
    .output(conversationRenamed)
    .mutation(({ ctx, input }) => renameConversation({ scope: ctx.scope, input })),

  remove: asOperator
    .input(conversationIdInput)
    .output(conversationRemoved)
    .mutation(({ ctx, input }) => removeConversation({ scope: ctx.scope, conversationId: input.conversationId })),
});
