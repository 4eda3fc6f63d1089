import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { RunChoices } from "../list-schema";

/** A list to choose from; whoever wants a rarer one writes it. */
const MOST_TAGS_OFFERED = 200;

/** What the runs of a workspace can be narrowed to: what ran, who started it, which tags there are. */
export async function listChoices(workspaceId: WorkspaceId): Promise<RunChoices> {
  const { rows } = await pool().query<RunChoices>(
    `SELECT
       (SELECT coalesce(json_agg(x ORDER BY x.kind DESC, lower(x.name), x.id), '[]') FROM (
          SELECT 'team' AS kind, t.id, t.name, t.archived_at IS NOT NULL AS "isDeleted" FROM teams t
          WHERE t.workspace_id = $1 AND EXISTS (SELECT FROM runs r WHERE r.workspace_id = $1 AND r.team_id = t.id)
          UNION ALL
          SELECT 'agent', a.id, a.name, a.archived_at IS NOT NULL FROM agents a
          WHERE a.workspace_id = $1 AND EXISTS (
            SELECT FROM agent_versions v JOIN runs r ON r.workspace_id = v.workspace_id AND r.agent_version_id = v.id
            WHERE v.workspace_id = $1 AND v.agent_id = a.id)) x) AS targets,
       (SELECT coalesce(json_agg(json_build_object('id', u.id, 'name', u.name) ORDER BY lower(u.name), u.id), '[]')
        FROM (SELECT DISTINCT started_by_id FROM runs WHERE workspace_id = $1) s JOIN users u ON u.id = s.started_by_id) AS people,
       (SELECT coalesce(json_agg(json_build_object('tag', x.tag, 'runs', x.runs) ORDER BY x.runs DESC, x.key), '[]') FROM (
          SELECT key, min(tag) AS tag, count(*)::int AS runs FROM run_tags
          WHERE workspace_id = $1 GROUP BY key ORDER BY count(*) DESC, key LIMIT ${MOST_TAGS_OFFERED}) x) AS tags`,
    [workspaceId],
  );
  return rows[0] ?? { targets: [], people: [], tags: [] };
}
