import { liveRouter } from "@/server/runs/live-router";
import { teamsRouter } from "@/server/teams/router";
import { usersRouter } from "@/server/users/router";
import { workspaceRouter } from "@/server/workspaces/router";
import { router } from "./procedures";

/** Every procedure the browser can call, by noun. */
export const appRouter = router({
  live: liveRouter,
  teams: teamsRouter,
  users: usersRouter,
  workspace: workspaceRouter,
});

export type AppRouter = typeof appRouter;
