import { inWorkspace, router } from "@/server/trpc/procedures";
import { getRunSeal } from "./queries/get-run-seal";
import { runSeal, sealInput } from "./schema";

/** What is written down for good of runs: seals of their records, and removals. */
export const ledgerRouter = router({
  /** Compares a run's record with its seal. */
  run: inWorkspace
    .input(sealInput)
    .output(runSeal)
    .query(({ ctx, input }) => getRunSeal(ctx.scope.workspaceId, input.runId)),
});
