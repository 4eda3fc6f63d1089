/**
 * Which team holds which agent, by its newest version (with the agent's version) or by its draft. Workspace is $1; with
 * `onlyAgent`, the agent is $2: walking every draft to find one agent takes too long.
 */
export function agentTeams({ onlyAgent }: { onlyAgent: boolean }): string {
  return `
    SELECT av.agent_id, t.id, t.name, av.number AS version
    FROM teams t
    JOIN LATERAL (SELECT id FROM team_versions
      WHERE workspace_id = t.workspace_id AND team_id = t.id ORDER BY number DESC LIMIT 1) v ON true
    JOIN (SELECT workspace_id, team_version_id, agent_version_id FROM team_nodes
      UNION ALL SELECT workspace_id, team_version_id, agent_version_id FROM team_allowed_agents) n
      ON n.workspace_id = t.workspace_id AND n.team_version_id = v.id
    JOIN agent_versions av ON av.workspace_id = t.workspace_id AND av.id = n.agent_version_id
    WHERE t.workspace_id = $1 AND t.archived_at IS NULL ${onlyAgent ? "AND av.agent_id = $2::uuid" : ""}
    UNION ALL
    SELECT (place #>> '{}')::uuid, t.id, t.name, NULL
    FROM teams t CROSS JOIN LATERAL (SELECT jsonb_path_query(t.draft, '$.root.**.agentId')
      UNION ALL SELECT jsonb_path_query(t.draft, '$.alsoAllowed[*]')) named(place)
    WHERE t.workspace_id = $1 AND t.archived_at IS NULL
      ${onlyAgent ? "AND t.draft::text LIKE '%' || $2::uuid || '%' AND (place #>> '{}')::uuid = $2::uuid" : ""}`;
}
