import { z } from "zod";
import { inWorkspace, router } from "@/server/trpc/procedures";
import { listViews } from "./queries/list-views";
import { changeView, removeView, saveView } from "./service/save-view";
import { changeViewInput, runView, saveViewInput, viewIdInput, viewSaved } from "./views-schema";

/** Filters of the list of runs that people kept. Everybody has their own; those shared with the workspace are for editors to change. */
export const viewsRouter = router({
  list: inWorkspace.output(z.array(runView)).query(({ ctx }) => listViews(ctx.scope)),

  save: inWorkspace
    .input(saveViewInput)
    .output(viewSaved)
    .mutation(({ ctx, input }) => saveView({ scope: ctx.scope, input })),

  change: inWorkspace
    .input(changeViewInput)
    .output(viewSaved)
    .mutation(({ ctx, input }) => changeView({ scope: ctx.scope, input })),

  remove: inWorkspace
    .input(viewIdInput)
    .output(viewSaved)
    .mutation(({ ctx, input }) => removeView({ scope: ctx.scope, viewId: input.viewId })),
});
