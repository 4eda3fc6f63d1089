import { asOperator, inWorkspace, router } from "@/server/trpc/procedures";
import { countRuns } from "./queries/count-runs";
import { getAgentRun } from "./queries/get-agent-run";
import { getDecision } from "./queries/get-decision";
import { getRunTree } from "./queries/get-run-tree";
import { getStep } from "./queries/get-step";
import { listEvents } from "./queries/list-events";
import { listRuns } from "./queries/list-runs";
import {
  agentRunDetail,
  agentRunInput,
  decisionDetail,
  decisionInput,
  eventPage,
  eventsInput,
  listRunsInput,
  runCounts,
  runIdInput,
  runPage,
  runStarted,
  runStopped,
  runTree,
  startRunInput,
  stepDetail,
  stepInput,
} from "./schema";
import { startRun, stopRun } from "./service";

export const runsRouter = router({
  list: inWorkspace
    .input(listRunsInput)
    .output(runPage)
    .query(({ ctx, input }) => listRuns(ctx.scope.workspaceId, input)),

  summary: inWorkspace.output(runCounts).query(({ ctx }) => countRuns(ctx.scope.workspaceId)),

  tree: inWorkspace
    .input(runIdInput)
    .output(runTree)
    .query(({ ctx, input }) => getRunTree(ctx.scope.workspaceId, input.runId)),

  step: inWorkspace
    .input(stepInput)
    .output(stepDetail)
    .query(({ ctx, input }) => getStep(ctx.scope.workspaceId, input)),

  decision: inWorkspace
    .input(decisionInput)
    .output(decisionDetail)
    .query(({ ctx, input }) => getDecision(ctx.scope.workspaceId, input)),

  agent: inWorkspace
    .input(agentRunInput)
    .output(agentRunDetail)
    .query(({ ctx, input }) => getAgentRun(ctx.scope.workspaceId, input)),

  events: inWorkspace
    .input(eventsInput)
    .output(eventPage)
    .query(({ ctx, input }) => listEvents(ctx.scope.workspaceId, input)),

  start: asOperator
    .input(startRunInput)
    .output(runStarted)
    .mutation(({ ctx, input }) => startRun({ scope: ctx.scope, input })),

  stop: asOperator
    .input(runIdInput)
    .output(runStopped)
    .mutation(({ ctx, input }) => stopRun({ scope: ctx.scope, runId: input.runId })),
});
