import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { isSameConfig } from "../rules";
import type { AgentSummary, ListAgentsInput } from "../schema";
import { agentTeams } from "./agent-teams";

type SummaryRecord = Omit<AgentSummary, "hasUnpublishedChanges" | "updatedAt"> & {
  /** Both only where the database finds them different, which older fields left out can make them look. */
  differing: { draft: unknown; published: unknown } | null;
  updated_at: Date;
};

/** A page of agents by name. What is shown of each comes from its draft, as its form does. */
export async function listAgents(
  workspaceId: WorkspaceId,
  { search, cursor, limit }: Pick<ListAgentsInput, "search" | "cursor" | "limit">,
): Promise<{ items: AgentSummary[]; nextCursor: string | null }> {
  const { rows } = await pool().query<SummaryRecord>(
    `WITH page AS MATERIALIZED (
       SELECT a.* FROM agents a
       WHERE a.workspace_id = $1 AND a.archived_at IS NULL
         AND ($2 = '' OR a.name ILIKE $3 OR a.draft ->> 'purpose' ILIKE $3)
         AND ($4::uuid IS NULL OR (lower(a.name), a.id) > (SELECT lower(name), id FROM agents WHERE workspace_id = $1 AND id = $4))
       ORDER BY lower(a.name), a.id LIMIT $5
     )
     SELECT a.id, a.name, a.draft ->> 'purpose' AS purpose, v.number AS version, a.draft ->> 'model' AS model,
       jsonb_array_length(a.draft -> 'tools') AS tools, coalesce(jsonb_array_length(a.draft -> 'knowledge'), 0) AS knowledge,
       coalesce((coalesce(v.config, a.draft) ->> 'canSpawnAgents')::boolean, false) AS "mayLead",
       CASE WHEN a.draft <> v.config THEN json_build_object('draft', a.draft, 'published', v.config) END AS differing,
       coalesce(held.teams, '[]') AS teams, a.updated_at
     FROM page a
     LEFT JOIN LATERAL (SELECT number, config FROM agent_versions
       WHERE workspace_id = a.workspace_id AND agent_id = a.id ORDER BY number DESC LIMIT 1) v ON true
     LEFT JOIN (SELECT agent_id, json_agg(json_build_object('id', id, 'name', name) ORDER BY name) AS teams
       FROM (SELECT DISTINCT agent_id, id, name FROM (${agentTeams({ onlyAgent: false })}) x
         WHERE agent_id IN (SELECT id FROM page)) y GROUP BY agent_id) held ON held.agent_id = a.id
     ORDER BY lower(a.name), a.id`,
    [workspaceId, search, `%${search.replace(/[\\%_]/g, "\\$&")}%`, cursor ?? null, limit + 1],
  );
  const items = rows.slice(0, limit).map(toSummary);
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

function toSummary({ differing, updated_at, ...row }: SummaryRecord): AgentSummary {
  return {
    ...row,
    hasUnpublishedChanges:
      row.version === null || (differing !== null && !isSameConfig(differing.draft, differing.published)),
    updatedAt: updated_at.toISOString(),
  };
}
