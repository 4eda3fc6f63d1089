import { z } from "zod";
import { asEditor, inWorkspace, router } from "@/server/trpc/procedures";
import { getAgent, getAgentVersion } from "./queries/get-agent";
import { listAgents } from "./queries/list-agents";
import { listAgentChoices } from "./queries/list-choices";
import { listTools } from "./queries/list-tools";
import {
  agentChoice,
  agentDetail,
  agentIdInput,
  agentPage,
  agentPublished,
  agentRef,
  agentVersionDetail,
  agentVersionInput,
  createAgentInput,
  listAgentsInput,
  publishAgentInput,
  restoreAgentVersionInput,
  saveAgentDraftInput,
  toolChoice,
} from "./schema";
import { createAgent, duplicateAgent, publishAgent, removeAgent, restoreAgentVersion, saveAgentDraft } from "./service";

export const agentsRouter = router({
  list: inWorkspace
    .input(listAgentsInput)
    .output(agentPage)
    .query(({ ctx, input }) => listAgents(ctx.scope.workspaceId, input)),

  /** For whoever places or looks for one: all of them, and little of each. */
  choices: inWorkspace.output(z.array(agentChoice)).query(({ ctx }) => listAgentChoices(ctx.scope.workspaceId)),

  tools: inWorkspace.output(z.array(toolChoice)).query(({ ctx }) => listTools(ctx.scope.workspaceId)),

  get: inWorkspace
    .input(agentIdInput)
    .output(agentDetail)
    .query(({ ctx, input }) => getAgent(ctx.scope.workspaceId, input.agentId)),

  version: inWorkspace
    .input(agentVersionInput)
    .output(agentVersionDetail)
    .query(({ ctx, input }) => getAgentVersion(ctx.scope.workspaceId, input)),

  create: asEditor
    .input(createAgentInput)
    .output(agentRef)
    .mutation(async ({ ctx, input }) => ({ agentId: await createAgent(ctx.scope, input) })),

  duplicate: asEditor
    .input(agentIdInput)
    .output(agentRef)
    .mutation(async ({ ctx, input }) => ({ agentId: await duplicateAgent(ctx.scope, input.agentId) })),

  publish: asEditor
    .input(publishAgentInput)
    .output(agentPublished)
    .mutation(({ ctx, input }) => publishAgent(ctx.scope, input)),

  saveDraft: asEditor
    .input(saveAgentDraftInput)
    .output(agentDetail)
    .mutation(async ({ ctx, input }) => {
      await saveAgentDraft(ctx.scope, input);
      return getAgent(ctx.scope.workspaceId, input.agentId);
    }),

  restoreVersion: asEditor
    .input(restoreAgentVersionInput)
    .output(agentDetail)
    .mutation(async ({ ctx, input }) => {
      await restoreAgentVersion(ctx.scope, input);
      return getAgent(ctx.scope.workspaceId, input.agentId);
    }),

  remove: asEditor
    .input(agentIdInput)
    .output(agentRef)
    .mutation(async ({ ctx, input }) => {
      await removeAgent(ctx.scope, input.agentId);
      return { agentId: input.agentId };
    }),
});
