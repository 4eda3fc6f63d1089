import type { TeamSummary } from "@/server/teams/schema";

/** "Supervisor, with Searcher and Writer". */
export function describeTeam(team: TeamSummary): string {
  const [root, ...others] = team.agents.map((agent) => agent.name);
  if (!root) return team.description;
  return others.length === 0 ? root : `${root}, with ${new Intl.ListFormat("en-GB").format(others)}`;
}
