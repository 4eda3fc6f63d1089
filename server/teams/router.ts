import { z } from "zod";
import { asEditor, inWorkspace, router } from "@/server/trpc/procedures";
import { getTeam, getTeamVersion } from "./queries/get-team";
import { listAllTeams, listTeamNames } from "./queries/list-all-teams";
import { listTeams } from "./queries/list-teams";
import { previewTeam } from "./queries/preview-team";
import {
  createTeamInput,
  listTeamsInput,
  previewTeamInput,
  publishTeamInput,
  restoreTeamVersionInput,
  saveTeamDraftInput,
  teamDetail,
  teamIdInput,
  teamName,
  teamPage,
  teamPreview,
  teamPublished,
  teamRef,
  teamSummary,
  teamVersionDetail,
  teamVersionInput,
} from "./schema";
import {
  createTeam,
  duplicateTeam,
  publishTeam,
  removeTeam,
  restoreTeamVersion,
  saveTeamDraft,
  updateTeamAgents,
} from "./service";

export const teamsRouter = router({
  /** Teams that can be started. */
  list: inWorkspace.output(z.array(teamSummary)).query(({ ctx }) => listTeams(ctx.scope.workspaceId)),

  /** Teams that can be edited: all of them. */
  all: inWorkspace
    .input(listTeamsInput)
    .output(teamPage)
    .query(({ ctx, input }) => listAllTeams(ctx.scope.workspaceId, input)),

  names: inWorkspace.output(z.array(teamName)).query(({ ctx }) => listTeamNames(ctx.scope.workspaceId)),

  get: inWorkspace
    .input(teamIdInput)
    .output(teamDetail)
    .query(({ ctx, input }) => getTeam(ctx.scope.workspaceId, input.teamId)),

  version: inWorkspace
    .input(teamVersionInput)
    .output(teamVersionDetail)
    .query(({ ctx, input }) => getTeamVersion(ctx.scope.workspaceId, input)),

  /** Changes nothing. A mutation because a whole tree does not fit the address of a GET. */
  preview: inWorkspace
    .input(previewTeamInput)
    .output(teamPreview)
    .mutation(({ ctx, input }) => previewTeam(ctx.scope.workspaceId, input.draft)),

  create: asEditor
    .input(createTeamInput)
    .output(teamRef)
    .mutation(async ({ ctx, input }) => ({ teamId: await createTeam(ctx.scope, input) })),

  duplicate: asEditor
    .input(teamIdInput)
    .output(teamRef)
    .mutation(async ({ ctx, input }) => ({ teamId: await duplicateTeam(ctx.scope, input.teamId) })),

  updateAgents: asEditor
    .input(teamIdInput)
    .output(teamPublished)
    .mutation(({ ctx, input }) => updateTeamAgents(ctx.scope, input.teamId)),

  publish: asEditor
    .input(publishTeamInput)
    .output(teamPublished)
    .mutation(({ ctx, input }) => publishTeam(ctx.scope, input)),

  saveDraft: asEditor
    .input(saveTeamDraftInput)
    .output(teamDetail)
    .mutation(async ({ ctx, input }) => {
      await saveTeamDraft(ctx.scope, input);
      return getTeam(ctx.scope.workspaceId, input.teamId);
    }),

  restoreVersion: asEditor
    .input(restoreTeamVersionInput)
    .output(teamDetail)
    .mutation(async ({ ctx, input }) => {
      await restoreTeamVersion(ctx.scope, input);
      return getTeam(ctx.scope.workspaceId, input.teamId);
    }),

  remove: asEditor
    .input(teamIdInput)
    .output(teamRef)
    .mutation(async ({ ctx, input }) => {
      await removeTeam(ctx.scope, input.teamId);
      return { teamId: input.teamId };
    }),
});
