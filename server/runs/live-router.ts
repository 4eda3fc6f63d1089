import { inWorkspace, router } from "@/server/trpc/procedures";
import { followRun } from "./follow";
import { followInput } from "./live-schema";

/**
 * One subscription a tab. Every message arrives at the client as `{ id, data }`: `data` is a `FollowMessage`, `id` the
 * last seq sent so far, which the browser hands back when it reconnects.
 */
export const liveRouter = router({
  follow: inWorkspace
    .input(followInput)
    .subscription(({ ctx, input, signal }) => followRun(ctx.scope, input, signal ?? new AbortController().signal)),
});
