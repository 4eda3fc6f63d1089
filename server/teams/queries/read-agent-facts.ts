import { agentConfig } from "@/server/agents/schema";
import { pool } from "@/server/db";
import type { Reader } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { AgentFacts } from "../rules";

/** Facts with the configuration they come from. */
export type KnownAgent = AgentFacts & { config: ReturnType<typeof agentConfig.parse> };

type FactsRecord = {
  id: string;
  name: string;
  isDeleted: boolean;
  version: number | null;
  agentVersionId: string | null;
  config: unknown;
};

/**
 * Agents by id, deleted ones too, each by its newest version; with `among`, by the newest of those agent versions.
 * An id of no agent of the workspace is simply absent.
 */
export async function readAgentFacts(
  workspaceId: WorkspaceId,
  agentIds: readonly string[],
  { reader = pool(), among = null }: { reader?: Reader; among?: readonly string[] | null } = {},
): Promise<Map<string, KnownAgent>> {
  const { rows } = await reader.query<FactsRecord>(
    `SELECT a.id, a.name, a.archived_at IS NOT NULL AS "isDeleted", v.number AS version, v.id AS "agentVersionId",
       coalesce(v.config, a.draft) AS config
     FROM agents a LEFT JOIN LATERAL (SELECT id, number, config FROM agent_versions
       WHERE workspace_id = a.workspace_id AND agent_id = a.id AND ($3::uuid[] IS NULL OR id = ANY($3::uuid[]))
       ORDER BY number DESC LIMIT 1) v ON true
     WHERE a.workspace_id = $1 AND a.id = ANY($2::uuid[])`,
    [workspaceId, [...new Set(agentIds)], among],
  );
  return new Map(
    rows.map(({ config: stored, ...row }) => {
      const config = agentConfig.parse(stored);
      const { purpose, canSpawnAgents, maxAgentDepth } = config;
      return [row.id, { ...row, config, purpose, canSpawnAgents, maxAgentDepth }];
    }),
  );
}
