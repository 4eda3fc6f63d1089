import { inWorkspace, router } from "@/server/trpc/procedures";
import { describeWorkspaceModel, getWorkspace } from "./queries";
import { workspaceMe } from "./schema";

export const workspaceRouter = router({
  me: inWorkspace.output(workspaceMe).query(async ({ ctx }) => ({
    user: ctx.user,
    workspace: await getWorkspace(ctx.scope),
    role: ctx.scope.role,
    model: await describeWorkspaceModel(ctx.scope.workspaceId),
  })),
});
