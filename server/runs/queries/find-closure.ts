import { type AgentConfig, agentConfig } from "@/server/agents/schema";
import { pool } from "@/server/db";
import { type RunLimits, runLimits } from "@/server/engine/run-limits";
import type { ToolServerOffer } from "@/server/tool-servers/rules";
import type { WorkspaceId } from "@/server/workspaces/scope";

type NodeRecord = {
  nodeId: string | null;
  parentId: string | null;
  agentVersionId: string;
  name: string;
  isDeleted: boolean;
  config: unknown;
};
type AllowedRecord = Pick<NodeRecord, "name" | "isDeleted" | "config">;
type ClosureRecord = {
  id: string;
  name: string;
  is_deleted: boolean;
  version_id: string | null;
  limits: unknown;
  nodes: NodeRecord[];
  allowed: AllowedRecord[];
};

/** A team or agent with everything a version of it pins. */
export type Closure = {
  kind: "team" | "agent";
  id: string;
  name: string;
  isDeleted: boolean;
  /** Null: never published, or there is no such version. */
  versionId: string | null;
  /** Of one run. */
  limits: RunLimits;
  places: (Omit<NodeRecord, "config"> & { config: AgentConfig })[];
  /** Agents without a place that its supervisors may also start. */
  allowed: (Omit<AllowedRecord, "config"> & { config: AgentConfig })[];
};

const TEAM = `
  SELECT t.id, t.name, t.archived_at IS NOT NULL AS is_deleted, v.id AS version_id, v.limits -> 'run' AS limits,
    (SELECT coalesce(json_agg(json_build_object('nodeId', n.id, 'parentId', n.parent_id, 'agentVersionId', av.id,
        'name', a.name, 'isDeleted', a.archived_at IS NOT NULL, 'config', av.config) ORDER BY n.id), '[]')
     FROM team_nodes n
     JOIN agent_versions av ON av.workspace_id = n.workspace_id AND av.id = n.agent_version_id
     JOIN agents a ON a.workspace_id = av.workspace_id AND a.id = av.agent_id
     WHERE n.workspace_id = t.workspace_id AND n.team_version_id = v.id) AS nodes,
    (SELECT coalesce(json_agg(json_build_object('name', a.name, 'isDeleted', a.archived_at IS NOT NULL, 'config', av.config)
        ORDER BY x.position), '[]')
     FROM team_allowed_agents x
     JOIN agent_versions av ON av.workspace_id = x.workspace_id AND av.id = x.agent_version_id
     JOIN agents a ON a.workspace_id = av.workspace_id AND a.id = av.agent_id
     WHERE x.workspace_id = t.workspace_id AND x.team_version_id = v.id) AS allowed
  FROM teams t
  LEFT JOIN LATERAL (
    SELECT id, limits FROM team_versions WHERE workspace_id = t.workspace_id AND team_id = t.id AND ($3::int IS NULL OR number = $3)
    ORDER BY number DESC LIMIT 1
  ) v ON true
  WHERE t.workspace_id = $1 AND t.id = $2`;

const AGENT = `
  SELECT a.id, a.name, a.archived_at IS NOT NULL AS is_deleted, v.id AS version_id, NULL AS limits,
    CASE WHEN v.id IS NULL THEN '[]' ELSE json_build_array(json_build_object('nodeId', NULL, 'parentId', NULL,
      'agentVersionId', v.id, 'name', a.name, 'isDeleted', a.archived_at IS NOT NULL, 'config', v.config)) END AS nodes, '[]'::json AS allowed
  FROM agents a
  LEFT JOIN LATERAL (
    SELECT id, config FROM agent_versions
    WHERE workspace_id = a.workspace_id AND agent_id = a.id AND ($3::int IS NULL OR number = $3) ORDER BY number DESC LIMIT 1
  ) v ON true
  WHERE a.workspace_id = $1 AND a.id = $2`;

/** With the newest version, unless one is named. Null when there is no such team or agent in this workspace. */
export async function findClosure(
  workspaceId: WorkspaceId,
  target: { kind: "team" | "agent"; id: string },
  version: number | null = null,
): Promise<Closure | null> {
  const { rows } = await pool().query<ClosureRecord>(target.kind === "team" ? TEAM : AGENT, [
    ...[workspaceId, target.id, version],
  ]);
  const row = rows[0];
  if (!row) return null;
  return {
    kind: target.kind,
    id: row.id,
    name: row.name,
    isDeleted: row.is_deleted,
    versionId: row.version_id,
    limits: runLimits.parse(row.limits ?? {}),
    places: row.nodes.map((node) => ({ ...node, config: agentConfig.parse(node.config) })),
    allowed: row.allowed.map((agent) => ({ ...agent, config: agentConfig.parse(agent.config) })),
  };
}

type NamedRecord = {
  default_model: string | null;
  models: string[];
  bases: string[];
  tool_servers: ToolServerOffer[];
};

/** What agents of a workspace may name: chat models, knowledge bases, tool servers; and its default model, if it chose one. */
export async function findNamed(workspaceId: WorkspaceId): Promise<NamedRecord> {
  const { rows } = await pool().query<NamedRecord>(
    `SELECT w.default_model,
       (SELECT coalesce(json_agg(p.name || '/' || m.name), '[]')
        FROM provider_models m JOIN providers p ON p.workspace_id = m.workspace_id AND p.id = m.provider_id
        WHERE m.workspace_id = w.id AND m.kind = 'chat') AS models,
       (SELECT coalesce(json_agg(b.id), '[]') FROM knowledge_bases b
        WHERE b.workspace_id = w.id AND b.conversation_id IS NULL) AS bases,
       (SELECT coalesce(json_agg(json_build_object('name', s.name, 'tools', s.tools, 'effects', s.effects, 'policies', s.policies,
           'enabled', s.enabled, 'check_error', s.check_error)), '[]')
        FROM tool_servers s WHERE s.workspace_id = w.id) AS tool_servers
     FROM workspaces w WHERE w.id = $1`,
    [workspaceId],
  );
  return rows[0] ?? { default_model: null, models: [], bases: [], tool_servers: [] };
}
