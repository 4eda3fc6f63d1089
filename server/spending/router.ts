import { inWorkspace, router } from "@/server/trpc/procedures";
import { getSummary } from "./queries/get-summary";
import { listCalls } from "./queries/list-calls";
import { listGroups } from "./queries/list-groups";
import { callPage, groupPage, listSpendingInput, spendingFilters, spendingSummary } from "./schema";

export const spendingRouter = router({
  summary: inWorkspace
    .input(spendingFilters)
    .output(spendingSummary)
    .query(({ ctx, input }) => getSummary(ctx.scope.workspaceId, input)),

  groups: inWorkspace
    .input(listSpendingInput)
    .output(groupPage)
    .query(({ ctx, input }) => listGroups(ctx.scope.workspaceId, input)),

  calls: inWorkspace
    .input(listSpendingInput)
    .output(callPage)
    .query(({ ctx, input }) => listCalls(ctx.scope.workspaceId, input)),
});
