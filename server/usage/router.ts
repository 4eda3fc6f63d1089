import { z } from "zod";
import { asOperator, asOwner, inWorkspace, router } from "@/server/trpc/procedures";
import { countErrors } from "./queries/count-errors";
import { getUsage } from "./queries/get-usage";
import {
  cleanupPreview,
  cleanupStarted,
  errorCount,
  saveLimitsInput,
  saveRetentionInput,
  startCleanupInput,
  usageChanged,
  usageView,
} from "./schema";
import { askToMeasure } from "./service/ask-to-measure";
import { previewCleanup } from "./service/preview-cleanup";
import { saveLimits, saveRetention } from "./service/save-settings";
import { startCleanup } from "./service/start-cleanup";

export const usageRouter = router({
  get: inWorkspace.output(usageView).query(({ ctx }) => getUsage(ctx.scope.workspaceId)),

  errors: inWorkspace.output(z.array(errorCount)).query(({ ctx }) => countErrors(ctx.scope.workspaceId)),

  measure: asOperator.output(usageChanged).mutation(async ({ ctx }) => {
    await askToMeasure(ctx.scope.workspaceId);
    return { ok: true };
  }),

  saveLimits: asOwner
    .input(saveLimitsInput)
    .output(usageChanged)
    .mutation(async ({ ctx, input }) => {
      await saveLimits({ scope: ctx.scope, input });
      return { ok: true };
    }),

  saveRetention: asOwner
    .input(saveRetentionInput)
    .output(usageChanged)
    .mutation(async ({ ctx, input }) => {
      await saveRetention({ scope: ctx.scope, input });
      return { ok: true };
    }),

  preview: asOwner
    .input(saveRetentionInput)
    .output(cleanupPreview)
    .mutation(({ ctx, input }) => previewCleanup(ctx.scope.workspaceId, input)),

  clean: asOwner
    .input(startCleanupInput)
    .output(cleanupStarted)
    .mutation(({ ctx, input }) => startCleanup({ scope: ctx.scope, input })),
});
