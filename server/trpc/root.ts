import { requestsRouter } from "@/server/requests/router";
import { liveRouter } from "@/server/runs/live-router";
import { runsRouter } from "@/server/runs/router";
import { teamsRouter } from "@/server/teams/router";
import { usersRouter } from "@/server/users/router";
import { workspaceRouter } from "@/server/workspaces/router";
import { router } from "./procedures";

/** Every procedure the browser can call, by noun. */
export const appRouter = router({
  live: liveRouter,
  requests: requestsRouter,
  runs: runsRouter,
  teams: teamsRouter,
  users: usersRouter,
  workspace: workspaceRouter,
});

export type AppRouter = typeof appRouter;
