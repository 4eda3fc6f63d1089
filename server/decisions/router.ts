import { asOperator, inWorkspace, router } from "@/server/trpc/procedures";
import { countOutcomes } from "./queries/count-outcomes";
import { explain } from "./queries/explain";
import { findPrecedents } from "./queries/find-precedents";
import { getDecision } from "./queries/get-decision";
import { listDecisions } from "./queries/list-decisions";
import {
  decisionExplanation,
  decisionFilters,
  decisionIdInput,
  decisionPage,
  decisionRecord,
  labelDecisionInput,
  listDecisionsInput,
  outcomeCounts,
  precedents,
  precedentsInput,
} from "./schema";
import { labelDecision, withdrawLabel } from "./service/label-decision";

export const decisionsRouter = router({
  list: inWorkspace
    .input(listDecisionsInput)
    .output(decisionPage)
    .query(({ ctx, input }) => listDecisions(ctx.scope.workspaceId, input)),

  /** How often each option was chosen, and how that ended, for the filter of a list. */
  outcomes: inWorkspace
    .input(decisionFilters)
    .output(outcomeCounts)
    .query(({ ctx, input }) => countOutcomes(ctx.scope.workspaceId, input)),

  get: inWorkspace
    .input(decisionIdInput)
    .output(decisionRecord)
    .query(({ ctx, input }) => getDecision(ctx.scope.workspaceId, input.decisionId)),

  /** The same in plain sentences, with whether there were earlier ones like it. */
  explain: inWorkspace
    .input(decisionIdInput)
    .output(decisionExplanation)
    .query(({ ctx, input }) => explain(ctx.scope.workspaceId, input.decisionId)),

  precedents: inWorkspace
    .input(precedentsInput)
    .output(precedents)
    .query(({ ctx, input }) => findPrecedents(ctx.scope.workspaceId, input)),

  label: asOperator
    .input(labelDecisionInput)
    .output(decisionRecord)
    .mutation(async ({ ctx, input }) => {
      await labelDecision(ctx.scope, input);
      return getDecision(ctx.scope.workspaceId, input.decisionId);
    }),

  withdrawLabel: asOperator
    .input(decisionIdInput)
    .output(decisionRecord)
    .mutation(async ({ ctx, input }) => {
      await withdrawLabel(ctx.scope, input.decisionId);
      return getDecision(ctx.scope.workspaceId, input.decisionId);
    }),
});
