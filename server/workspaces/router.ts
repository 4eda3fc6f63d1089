import { env } from "@/server/env";
import { inWorkspace, router } from "@/server/trpc/procedures";
import { getWorkspace } from "./queries";
import { workspaceMe } from "./schema";

function describeConfiguredModel() {
  const { MODEL_BASE_URL, MODEL_NAME } = env();
  if (!MODEL_BASE_URL || !MODEL_NAME) {
    return { provider: "rehearsal", name: "rehearsal", label: "Rehearsal (not an LLM)", isRehearsal: true };
  }
  return { provider: "openai", name: MODEL_NAME, label: MODEL_NAME, isRehearsal: false };
}

export const workspaceRouter = router({
  me: inWorkspace.output(workspaceMe).query(async ({ ctx }) => ({
    user: ctx.user,
    workspace: await getWorkspace(ctx.scope),
    role: ctx.scope.role,
    model: describeConfiguredModel(),
  })),
});
