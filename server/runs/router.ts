import { z } from "zod";
import { asEditor, asOperator, inWorkspace, router } from "@/server/trpc/procedures";
import { compareRunsInput, runComparison, runFacts } from "./compare/schema";
import {
  archiveRunsInput,
  listRunsInput,
  matchingRuns,
  planRemovalInput,
  removalPlan,
  removeRunsInput,
  renameRunInput,
  runChoices,
  runFilters,
  runNeighbour,
  runNeighbourInput,
  runRenamed,
  runsChanged,
  setTagsInput,
  tagRunsInput,
  tagsSet,
} from "./list-schema";
import { compareRuns, getRunFacts } from "./queries/compare-runs";
import { countRuns } from "./queries/count-runs";
import { findNeighbour } from "./queries/find-neighbour";
import { getAgentRun } from "./queries/get-agent-run";
import { getDecision } from "./queries/get-decision";
import { getModelCall } from "./queries/get-model-call";
import { getPackedRunTree } from "./queries/get-run-tree";
import { getStepDetail, getStepText } from "./queries/get-step-detail";
import { listChoices } from "./queries/list-choices";
import { listEvents } from "./queries/list-events";
import { listRuns } from "./queries/list-runs";
import { listTargets } from "./queries/list-targets";
import { matchRuns } from "./queries/match-runs";
import { planRemoval } from "./queries/plan-removal";
import { planRerun } from "./queries/plan-rerun";
import {
  agentRunDetail,
  agentRunInput,
  controlAgentInput,
  decisionDetail,
  decisionInput,
  eventPage,
  eventsInput,
  packedRunTree,
  resumeRunInput,
  runCounts,
  runIdInput,
  runPage,
  runStanding,
  runStarted,
  runsAffected,
  runTarget,
  startRunInput,
  steered,
  steerInput,
} from "./schema";
import { clearTodo, steerAgentRun, stopAgentRun } from "./service/control-agent";
import { pauseRun, resumeRun, stopRun } from "./service/control-run";
import { pauseWorkspace, resumeWorkspace, stopWorkspace } from "./service/control-workspace";
import { archiveRuns, renameRun, setTags, tagRuns } from "./service/label-runs";
import { removeRuns } from "./service/remove-runs";
import { planRetry, retryFrom, whatIf } from "./service/retry-from";
import { startRun } from "./service/start-run";
import {
  modelCall,
  rerunPlan,
  rerunPlanInput,
  retryFromInput,
  retryPlan,
  stepDetail,
  stepDetailInput,
  stepInput,
  stepText,
  stepTextInput,
  whatIfInput,
} from "./step-schema";

export const runsRouter = router({
  list: inWorkspace
    .input(listRunsInput)
    .output(runPage)
    .query(({ ctx, input }) => listRuns(ctx.scope.workspaceId, input)),

  /** Every run that matches, for what is done to all of them. */
  matching: inWorkspace
    .input(runFilters)
    .output(matchingRuns)
    .query(({ ctx, input }) => matchRuns(ctx.scope.workspaceId, input)),

  /** The run before or after one in a list. */
  neighbour: inWorkspace
    .input(runNeighbourInput)
    .output(runNeighbour)
    .query(({ ctx, input }) => findNeighbour(ctx.scope.workspaceId, input)),

  /** What the list can be narrowed to. */
  choices: inWorkspace.output(runChoices).query(({ ctx }) => listChoices(ctx.scope.workspaceId)),

  rename: asOperator
    .input(renameRunInput)
    .output(runRenamed)
    .mutation(({ ctx, input }) => renameRun({ scope: ctx.scope, ...input })),

  setTags: asOperator
    .input(setTagsInput)
    .output(tagsSet)
    .mutation(({ ctx, input }) => setTags({ scope: ctx.scope, ...input })),

  tag: asOperator
    .input(tagRunsInput)
    .output(runsChanged)
    .mutation(({ ctx, input }) => tagRuns({ scope: ctx.scope, ...input })),

  archive: asOperator
    .input(archiveRunsInput)
    .output(runsChanged)
    .mutation(({ ctx, input }) => archiveRuns({ scope: ctx.scope, ...input })),

  /** What removing would remove. It changes nothing, but may name more runs than fit into an address. */
  removalPlan: asEditor
    .input(planRemovalInput)
    .output(removalPlan)
    .mutation(({ ctx, input }) => planRemoval(ctx.scope.workspaceId, input.runIds)),

  remove: asEditor
    .input(removeRunsInput)
    .output(runsChanged)
    .mutation(({ ctx, input }) => removeRuns({ scope: ctx.scope, runIds: input.runIds })),

  /** What can be started. */
  targets: inWorkspace.output(z.array(runTarget)).query(({ ctx }) => listTargets(ctx.scope.workspaceId)),

  summary: inWorkspace.output(runCounts).query(({ ctx }) => countRuns(ctx.scope.workspaceId)),

  tree: inWorkspace
    .input(runIdInput)
    .output(packedRunTree)
    .query(({ ctx, input }) => getPackedRunTree(ctx.scope.workspaceId, input.runId)),

  step: inWorkspace
    .input(stepDetailInput)
    .output(stepDetail)
    .query(({ ctx, input }) => getStepDetail(ctx.scope.workspaceId, input)),

  /** A text of a step that was sent as its beginning. */
  stepText: inWorkspace
    .input(stepTextInput)
    .output(stepText)
    .query(({ ctx, input }) => getStepText(ctx.scope.workspaceId, input)),

  modelCall: inWorkspace
    .input(stepInput)
    .output(modelCall)
    .query(({ ctx, input }) => getModelCall(ctx.scope.workspaceId, input)),

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

  /** Two runs side by side: what they took, what each did, where they first part. */
  compare: inWorkspace
    .input(compareRunsInput)
    .output(runComparison)
    .query(({ ctx, input }) => compareRuns(ctx.scope.workspaceId, input)),

  facts: inWorkspace
    .input(runIdInput)
    .output(runFacts)
    .query(({ ctx, input }) => getRunFacts(ctx.scope.workspaceId, input.runId)),

  start: asOperator
    .input(startRunInput)
    .output(runStarted)
    .mutation(({ ctx, input }) => startRun({ scope: ctx.scope, input })),

  /** What repeating a run would do, and with which versions it can be. */
  rerunPlan: asOperator
    .input(rerunPlanInput)
    .output(rerunPlan)
    .query(({ ctx, input }) => planRerun(ctx.scope.workspaceId, input)),

  /** What retrying from a step would keep, and what stays done. */
  retryPlan: asOperator
    .input(stepInput)
    .output(retryPlan)
    .query(({ ctx, input }) => planRetry({ scope: ctx.scope, input })),

  retryFrom: asOperator
    .input(retryFromInput)
    .output(runStarted)
    .mutation(({ ctx, input }) => retryFrom({ scope: ctx.scope, input })),

  /** A fork in which something is otherwise at a step. */
  whatIf: asOperator
    .input(whatIfInput)
    .output(runStarted)
    .mutation(({ ctx, input }) => whatIf({ scope: ctx.scope, input })),

  pause: asOperator
    .input(runIdInput)
    .output(runStanding)
    .mutation(({ ctx, input }) => pauseRun({ scope: ctx.scope, runId: input.runId })),

  resume: asOperator
    .input(resumeRunInput)
    .output(runStanding)
    .mutation(({ ctx, input }) => resumeRun({ scope: ctx.scope, ...input })),

  clearTodo: asOperator
    .input(controlAgentInput)
    .output(steered)
    .mutation(({ ctx, input }) => clearTodo({ scope: ctx.scope, ...input })),
  steer: asOperator
    .input(steerInput)
    .output(steered)
    .mutation(({ ctx, input }) => steerAgentRun({ scope: ctx.scope, ...input })),

  stopAgent: asOperator
    .input(controlAgentInput)
    .output(runStanding)
    .mutation(({ ctx, input }) => stopAgentRun({ scope: ctx.scope, ...input })),

  stop: asOperator
    .input(runIdInput)
    .output(runStanding)
    .mutation(({ ctx, input }) => stopRun({ scope: ctx.scope, runId: input.runId })),

  /** Everything in the workspace. */
  pauseAll: asOperator.output(runsAffected).mutation(({ ctx }) => pauseWorkspace({ scope: ctx.scope })),
  resumeAll: asOperator.output(runsAffected).mutation(({ ctx }) => resumeWorkspace({ scope: ctx.scope })),
  stopAll: asOperator.output(runsAffected).mutation(({ ctx }) => stopWorkspace({ scope: ctx.scope })),
});
