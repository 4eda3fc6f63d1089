import { inWorkspace, router } from "@/server/trpc/procedures";
import { getAgentSpending } from "./queries/inside/get-agent-spending";
import { getRunCosts, listAgentCosts, listTimings } from "./queries/inside/get-costs";
import { getSnapshot, listMoments } from "./queries/inside/get-snapshot";
import { listAttached, listLargeResults, listResults, listUsedDocuments } from "./queries/inside/list-files";
import { listFrames } from "./queries/inside/list-frames";
import { listRunMessages } from "./queries/inside/list-messages";
import { listRetrievals } from "./queries/inside/list-retrievals";
import { listSaid } from "./queries/inside/list-said";
import {
  agentCostPage,
  agentResultPage,
  agentSpending,
  agentSpendingInput,
  attachedPage,
  framePage,
  largeResultPage,
  messagePage,
  messagesInput,
  momentPage,
  momentsInput,
  pageOfRunInput,
  playbackInput,
  retrievalPage,
  retrievalsInput,
  runCosts,
  runFilesInput,
  saidInput,
  saidPage,
  snapshot,
  snapshotInput,
  timingPage,
  usedDocumentPage,
} from "./queries/inside/schema";
import { runIdInput } from "./schema";

/** One run seen otherwise than as its tree. All of it is read from the record; nothing is kept for it. */
export const insideRouter = router({
  said: inWorkspace
    .input(saidInput)
    .output(saidPage)
    .query(({ ctx, input }) => listSaid(ctx.scope.workspaceId, input)),

  messages: inWorkspace
    .input(messagesInput)
    .output(messagePage)
    .query(({ ctx, input }) => listRunMessages(ctx.scope.workspaceId, input)),

  costs: inWorkspace
    .input(runIdInput)
    .output(runCosts)
    .query(({ ctx, input }) => getRunCosts(ctx.scope.workspaceId, input.runId)),

  agentCosts: inWorkspace
    .input(pageOfRunInput)
    .output(agentCostPage)
    .query(({ ctx, input }) => listAgentCosts(ctx.scope.workspaceId, input)),

  timings: inWorkspace
    .input(pageOfRunInput)
    .output(timingPage)
    .query(({ ctx, input }) => listTimings(ctx.scope.workspaceId, input)),

  /** Of one agent run: what it spent, which limits hold for it, how full its context was. */
  agentSpending: inWorkspace
    .input(agentSpendingInput)
    .output(agentSpending)
    .query(({ ctx, input }) => getAgentSpending(ctx.scope.workspaceId, input)),

  retrievals: inWorkspace
    .input(retrievalsInput)
    .output(retrievalPage)
    .query(({ ctx, input }) => listRetrievals(ctx.scope.workspaceId, input)),

  attached: inWorkspace
    .input(runFilesInput)
    .output(attachedPage)
    .query(({ ctx, input }) => listAttached(ctx.scope.workspaceId, input)),

  usedDocuments: inWorkspace
    .input(runFilesInput)
    .output(usedDocumentPage)
    .query(({ ctx, input }) => listUsedDocuments(ctx.scope.workspaceId, input)),

  results: inWorkspace
    .input(runFilesInput)
    .output(agentResultPage)
    .query(({ ctx, input }) => listResults(ctx.scope.workspaceId, input)),

  largeResults: inWorkspace
    .input(runFilesInput)
    .output(largeResultPage)
    .query(({ ctx, input }) => listLargeResults(ctx.scope.workspaceId, input)),

  moments: inWorkspace
    .input(momentsInput)
    .output(momentPage)
    .query(({ ctx, input }) => listMoments(ctx.scope.workspaceId, input)),

  /** How an agent run stood after an event. */
  snapshot: inWorkspace
    .input(snapshotInput)
    .output(snapshot)
    .query(({ ctx, input }) => getSnapshot(ctx.scope.workspaceId, input)),

  /** Events that move the graph, for playing a run back. */
  frames: inWorkspace
    .input(playbackInput)
    .output(framePage)
    .query(({ ctx, input }) => listFrames(ctx.scope.workspaceId, input)),
});
