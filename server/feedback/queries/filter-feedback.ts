import type { WorkspaceId } from "@/server/workspaces/scope";
import type { FeedbackFilters } from "../schema";

type Filtered = {
  /** What is read from: feedback `f` with its run `r`. */
  from: string;
  where: string;
  values: unknown[];
  /** Adds a value and says how it is named in the SQL. */
  bind: (value: unknown) => string;
};

const DAY_MS = 24 * 60 * 60_000;

/** The conditions of a list of feedback, as SQL; $1 is the workspace. What was said of a run on its way out is left out. */
export function filterFeedback(workspaceId: WorkspaceId, filters: FeedbackFilters): Filtered {
  const values: unknown[] = [workspaceId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = ["f.workspace_id = $1", "r.removing_at IS NULL"];
  const { type, agent, team, from, to, search } = filters;
  if (type) conditions.push(`f.type = ${bind(type)}`);
  if (agent) conditions.push(`f.agent_name = ${bind(agent)}`);
  if (team) conditions.push(`f.team_id = ${bind(team)}`);
  if (from) conditions.push(`f.at >= ${bind(new Date(from))}`);
  if (to) conditions.push(`f.at < ${bind(new Date(Date.parse(to) + DAY_MS))}`);
  if (search) {
    const pattern = bind(`%${search.replace(/[\\%_]/g, "\\$&")}%`);
    conditions.push(`(f.content ILIKE ${pattern} OR r.title ILIKE ${pattern})`);
  }
  return {
    from: "feedback f JOIN runs r ON r.workspace_id = f.workspace_id AND r.id = f.run_id",
    where: conditions.join(" AND "),
    values,
    bind,
  };
}
