import { agentConfig } from "@/server/agents/schema";
import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { Place } from "../rules";

/** The agents a run was made with, at their places or on its team's list, in the versions it pinned when it began. */
export async function findPinned(
  workspaceId: WorkspaceId,
  runId: string,
): Promise<{ kind: "team" | "agent"; places: Place[] }> {
  const { rows } = await pool().query<{ isTeam: boolean; name: string; isDeleted: boolean; config: unknown }>(
    `SELECT r.team_version_id IS NOT NULL AS "isTeam", a.name, a.archived_at IS NOT NULL AS "isDeleted", v.config
     FROM runs r
     LEFT JOIN (SELECT workspace_id, team_version_id, agent_version_id, id FROM team_nodes
       UNION ALL SELECT workspace_id, team_version_id, agent_version_id, NULL FROM team_allowed_agents) n
       ON n.workspace_id = r.workspace_id AND n.team_version_id = r.team_version_id
     JOIN agent_versions v ON v.workspace_id = r.workspace_id AND v.id = coalesce(n.agent_version_id, r.agent_version_id)
     JOIN agents a ON a.workspace_id = v.workspace_id AND a.id = v.agent_id
     WHERE r.workspace_id = $1 AND r.id = $2 ORDER BY n.id, a.name`,
    [workspaceId, runId],
  );
  return {
    kind: rows[0]?.isTeam ? "team" : "agent",
    places: rows.map(({ name, isDeleted, config }) => ({ name, isDeleted, config: agentConfig.parse(config) })),
  };
}
