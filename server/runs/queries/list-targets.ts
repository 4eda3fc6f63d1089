import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { RunTarget } from "../schema";

/** What can be run and asked: published teams, then published agents, each by name. */
export async function listTargets(workspaceId: WorkspaceId): Promise<RunTarget[]> {
  const { rows } = await pool().query<RunTarget>(
    `SELECT * FROM (
       SELECT 'team' AS kind, t.id, t.name, t.description AS purpose, v.number AS version, v.limits ->> 'example' AS example,
         (SELECT coalesce(json_agg(a.name ORDER BY n.parent_id NULLS FIRST, n.position), '[]')
          FROM team_nodes n
          JOIN agent_versions av ON av.workspace_id = n.workspace_id AND av.id = n.agent_version_id
          JOIN agents a ON a.workspace_id = av.workspace_id AND a.id = av.agent_id
          WHERE n.workspace_id = t.workspace_id AND n.team_version_id = v.id) AS agents
       FROM teams t
       JOIN LATERAL (SELECT id, number, limits FROM team_versions
         WHERE workspace_id = t.workspace_id AND team_id = t.id ORDER BY number DESC LIMIT 1) v ON true
       WHERE t.workspace_id = $1 AND t.archived_at IS NULL
       UNION ALL
       SELECT 'agent', a.id, a.name, v.config ->> 'purpose', v.number, NULL, '[]'
       FROM agents a
       JOIN LATERAL (SELECT number, config FROM agent_versions
         WHERE workspace_id = a.workspace_id AND agent_id = a.id ORDER BY number DESC LIMIT 1) v ON true
       WHERE a.workspace_id = $1 AND a.archived_at IS NULL
     ) x ORDER BY kind DESC, lower(name), id`,
    [workspaceId],
  );
  return rows;
}
