import { asOwner, inWorkspace, router } from "@/server/trpc/procedures";
import { getTracing } from "./queries/get-tracing";
import { saveTracingInput, sinkTest, tracingView } from "./schema";
import { removeSink, saveSink } from "./service/save-sink";
import { testSink } from "./service/test-sink";

/** Where a workspace's traces go. All changes are an owner's: what is said in runs may go along. */
export const tracingRouter = router({
  get: inWorkspace.output(tracingView).query(({ ctx }) => getTracing(ctx.scope.workspaceId)),

  save: asOwner
    .input(saveTracingInput)
    .output(tracingView)
    .mutation(({ ctx, input }) => saveSink({ scope: ctx.scope, input })),

  remove: asOwner.output(tracingView).mutation(({ ctx }) => removeSink(ctx.scope)),

  test: asOwner.output(sinkTest).mutation(({ ctx, signal }) => testSink({ scope: ctx.scope, signal })),
});
