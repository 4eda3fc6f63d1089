import { pool } from "@/server/db";
import { describeConfiguredModel, REHEARSAL } from "@/server/models/configured-model";
import type { Reader } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { AgentSurroundings } from "../rules";
import { listTools } from "./list-tools";

type SurroundingsRecord = {
  models: { ref: string; kind: "chat" | "embedding" }[];
  bases: string[];
  supervised_in: string[];
};

/** What the configuration of an agent is judged against: see AgentSurroundings. */
export async function readSurroundings(
  workspaceId: WorkspaceId,
  agentId: string,
  reader: Reader = pool(),
): Promise<AgentSurroundings> {
  const tools = await listTools(workspaceId, reader);
  // A place without a purpose of its own passes on the agent's, in the newest version or in the draft.
  const { rows } = await reader.query<SurroundingsRecord>(
    `SELECT
       (SELECT coalesce(json_agg(json_build_object('ref', p.name || '/' || m.name, 'kind', m.kind)), '[]')
        FROM provider_models m JOIN providers p ON p.workspace_id = m.workspace_id AND p.id = m.provider_id
        WHERE m.workspace_id = $1) AS models,
       (SELECT coalesce(json_agg(id), '[]') FROM knowledge_bases
        WHERE workspace_id = $1 AND conversation_id IS NULL) AS bases,
       (SELECT coalesce(json_agg(t.name ORDER BY t.name), '[]') FROM teams t
        WHERE t.workspace_id = $1 AND t.archived_at IS NULL
          AND ((t.draft::text LIKE '%' || $2::uuid || '%' AND jsonb_path_exists(t.draft,
                 '$.root.children.** ? (@.agentId == $agent && @.purpose == null)', jsonb_build_object('agent', $2::uuid)))
            OR t.draft -> 'alsoAllowed' ? $2::text
            OR t.id IN (SELECT v.team_id FROM agent_versions av JOIN team_allowed_agents x
                ON x.workspace_id = av.workspace_id AND x.agent_version_id = av.id
              JOIN team_versions v ON v.workspace_id = x.workspace_id AND v.id = x.team_version_id
              WHERE av.workspace_id = $1 AND av.agent_id = $2::uuid AND NOT EXISTS (SELECT FROM team_versions later
                WHERE later.team_id = v.team_id AND later.number > v.number))
            OR t.id IN (SELECT v.team_id FROM agent_versions av
              JOIN team_nodes n ON n.workspace_id = av.workspace_id AND n.agent_version_id = av.id
              JOIN team_versions v ON v.workspace_id = n.workspace_id AND v.id = n.team_version_id
              WHERE av.workspace_id = $1 AND av.agent_id = $2::uuid AND n.parent_id IS NOT NULL AND n.purpose IS NULL
                AND NOT EXISTS (SELECT FROM team_versions later
                  WHERE later.team_id = v.team_id AND later.number > v.number)))) AS supervised_in`,
    [workspaceId, agentId],
  );
  const found = rows[0] ?? { models: [], bases: [], supervised_in: [] };
  return {
    tools: new Map(tools.map(({ name, isOff, problem }) => [name, isOff ? problem : null])),
    models: new Map([
      [REHEARSAL.ref, "chat"],
      [describeConfiguredModel().ref, "chat"],
      ...found.models.map(({ ref, kind }) => [ref, kind] as const),
    ]),
    bases: new Set(found.bases),
    supervisedIn: found.supervised_in,
  };
}
