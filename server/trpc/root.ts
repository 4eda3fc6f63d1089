import { agentsRouter } from "@/server/agents/router";
import { conversationsRouter } from "@/server/conversations/router";
import { deadLettersRouter } from "@/server/dead-letters/router";
import { decisionsRouter } from "@/server/decisions/router";
import { examplesRouter } from "@/server/examples/router";
import { feedbackRouter } from "@/server/feedback/router";
import { findingRouter } from "@/server/finding/router";
import { knowledgeRouter } from "@/server/knowledge/router";
import { ledgerRouter } from "@/server/ledger/router";
import { membersRouter } from "@/server/members/router";
import { providersRouter } from "@/server/providers/router";
import { requestsRouter } from "@/server/requests/router";
import { insideRouter } from "@/server/runs/inside-router";
import { liveRouter } from "@/server/runs/live-router";
import { runsRouter } from "@/server/runs/router";
import { shareRouter } from "@/server/runs/share-router";
import { viewsRouter } from "@/server/runs/views-router";
import { spendingRouter } from "@/server/spending/router";
import { systemRouter } from "@/server/system/router";
import { teamsRouter } from "@/server/teams/router";
import { toolServersRouter } from "@/server/tool-servers/router";
import { tracingRouter } from "@/server/tracing/router";
import { usageRouter } from "@/server/usage/router";
import { usersRouter } from "@/server/users/router";
import { webhooksRouter } from "@/server/webhooks/router";
import { workspaceRouter } from "@/server/workspaces/router";
import { router } from "./procedures";

/** Every procedure the browser can call, by noun. */
export const appRouter = router({
  agents: agentsRouter,
  conversations: conversationsRouter,
  deadLetters: deadLettersRouter,
  decisions: decisionsRouter,
  examples: examplesRouter,
  feedback: feedbackRouter,
  finding: findingRouter,
  knowledge: knowledgeRouter,
  ledger: ledgerRouter,
  live: liveRouter,
  members: membersRouter,
  providers: providersRouter,
  requests: requestsRouter,
  runs: runsRouter,
  runInside: insideRouter,
  runShares: shareRouter,
  runViews: viewsRouter,
  spending: spendingRouter,
  system: systemRouter,
  teams: teamsRouter,
  toolServers: toolServersRouter,
  tracing: tracingRouter,
  usage: usageRouter,
  users: usersRouter,
  webhooks: webhooksRouter,
  workspace: workspaceRouter,
});

export type AppRouter = typeof appRouter;
