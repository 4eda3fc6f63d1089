import type pg from "pg";

/** When a run was imported; null: it was not. Read before it goes. */
export async function importedAt(client: pg.ClientBase, workspaceId: string, runId: string): Promise<string | null> {
  const { rows } = await client.query<{ at: string }>(
    "SELECT imported_at::text AS at FROM run_imports WHERE workspace_id = $1 AND run_id = $2",
    [workspaceId, runId],
  );
  return rows[0]?.at ?? null;
}

/** Stored together with the run, deleted from the start. */
const MADE_FOR_IT = "x.workspace_id = $1 AND x.created_at = $2::timestamptz AND x.archived_at = x.created_at";

/**
 * Removes the agents and the team that were stored to show an imported run by, once it is gone: nobody sees them, and nothing may run them. What
 * anything else has come to use stays.
 */
export async function forgetImported(client: pg.ClientBase, workspaceId: string, at: string): Promise<void> {
  await client.query(
    `DELETE FROM teams x WHERE ${MADE_FOR_IT} AND NOT EXISTS (SELECT FROM runs r WHERE r.workspace_id = $1 AND r.team_id = x.id)
       AND NOT EXISTS (SELECT FROM conversations c WHERE c.workspace_id = $1 AND c.team_id = x.id)`,
    [workspaceId, at],
  );
  await client.query(
    `DELETE FROM agents x WHERE ${MADE_FOR_IT} AND NOT EXISTS (
         SELECT FROM agent_versions v WHERE v.workspace_id = $1 AND v.agent_id = x.id AND (
           EXISTS (SELECT FROM runs r WHERE r.workspace_id = $1 AND r.agent_version_id = v.id)
           OR EXISTS (SELECT FROM agent_runs a WHERE a.workspace_id = $1 AND a.agent_version_id = v.id)
           OR EXISTS (SELECT FROM team_nodes n WHERE n.workspace_id = $1 AND n.agent_version_id = v.id)
           OR EXISTS (SELECT FROM team_allowed_agents l WHERE l.workspace_id = $1 AND l.agent_version_id = v.id)))
       AND NOT EXISTS (SELECT FROM conversations c WHERE c.workspace_id = $1 AND c.agent_id = x.id)`,
    [workspaceId, at],
  );
}
