import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { AgentChoice } from "../schema";

/** As many as a list to choose from can show and search in the browser. */
const MOST = 1_000;

/** Agents to choose from or to go to, by name; published or not. What is said of each comes from its draft. */
export async function listAgentChoices(workspaceId: WorkspaceId): Promise<AgentChoice[]> {
  const { rows } = await pool().query<AgentChoice>(
    `SELECT a.id, a.name, a.draft ->> 'purpose' AS purpose, v.number AS version,
       coalesce((coalesce(v.config, a.draft) ->> 'canSpawnAgents')::boolean, false) AS "mayLead"
     FROM agents a LEFT JOIN LATERAL (SELECT number, config FROM agent_versions
       WHERE workspace_id = a.workspace_id AND agent_id = a.id ORDER BY number DESC LIMIT 1) v ON true
     WHERE a.workspace_id = $1 AND a.archived_at IS NULL ORDER BY lower(a.name), a.id LIMIT ${MOST}`,
    [workspaceId],
  );
  return rows;
}
