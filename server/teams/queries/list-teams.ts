import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { TeamSummary } from "../schema";

/** Teams that can be started (published, not archived), with their trees, by name. */
export async function listTeams(workspaceId: WorkspaceId): Promise<TeamSummary[]> {
  const { rows } = await pool().query<TeamSummary>(
    `SELECT t.id, t.name, t.description, v.number AS version, tree.agents, v.limits ->> 'example' AS example
     FROM teams t
     JOIN LATERAL (
       SELECT id, number, limits FROM team_versions
       WHERE workspace_id = t.workspace_id AND team_id = t.id ORDER BY number DESC LIMIT 1
     ) v ON true
     CROSS JOIN LATERAL (
       WITH RECURSIVE walk AS (
         SELECT n.id, n.agent_version_id, 0 AS depth, ARRAY[n.position] AS path FROM team_nodes n
         WHERE n.workspace_id = t.workspace_id AND n.team_version_id = v.id AND n.parent_id IS NULL
         UNION ALL
         SELECT n.id, n.agent_version_id, walk.depth + 1, walk.path || n.position FROM team_nodes n
         JOIN walk ON n.workspace_id = t.workspace_id AND n.team_version_id = v.id AND n.parent_id = walk.id
       )
       SELECT coalesce(json_agg(json_build_object(
           'name', a.name, 'purpose', av.config ->> 'purpose', 'depth', walk.depth) ORDER BY walk.path), '[]') AS agents
       FROM walk
       JOIN agent_versions av ON av.workspace_id = t.workspace_id AND av.id = walk.agent_version_id
       JOIN agents a ON a.workspace_id = av.workspace_id AND a.id = av.agent_id
     ) tree
     WHERE t.workspace_id = $1 AND t.archived_at IS NULL
     ORDER BY t.name`,
    [workspaceId],
  );
  return rows;
}
