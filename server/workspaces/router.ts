import { asOwner, inWorkspace, router } from "@/server/trpc/procedures";
import { describeWorkspaceModel, getPrivacy, getWorkspace } from "./queries";
import { previewPrivacyInput, privacyPreview, privacyView, savePrivacyInput, workspaceMe } from "./schema";
import { previewPrivacy, savePrivacy } from "./service";

export const workspaceRouter = router({
  me: inWorkspace.output(workspaceMe).query(async ({ ctx }) => ({
    user: ctx.user,
    workspace: await getWorkspace(ctx.scope),
    role: ctx.scope.role,
    model: await describeWorkspaceModel(ctx.scope.workspaceId),
  })),

  privacy: inWorkspace.output(privacyView).query(({ ctx }) => getPrivacy(ctx.scope.workspaceId)),

  savePrivacy: asOwner
    .input(savePrivacyInput)
    .output(privacyView)
    .mutation(({ ctx, input }) => savePrivacy({ scope: ctx.scope, input })),

  /** A mutation only because texts do not belong into addresses. */
  previewPrivacy: inWorkspace
    .input(previewPrivacyInput)
    .output(privacyPreview)
    .mutation(({ input }) => previewPrivacy(input)),
});
