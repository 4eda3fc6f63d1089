import { z } from "zod";
import { inWorkspace, router } from "@/server/trpc/procedures";
import { listTeams } from "./queries";
import { teamSummary } from "./schema";

export const teamsRouter = router({
  list: inWorkspace.output(z.array(teamSummary)).query(({ ctx }) => listTeams(ctx.scope.workspaceId)),
});
