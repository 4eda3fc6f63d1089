import { pool } from "@/server/db";
import { patternSettings } from "@/server/engine/pattern-settings";
import { runLimits } from "@/server/engine/run-limits";
import type { Reader } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { type PublishedAllowed, type PublishedNode, treeOf } from "../rules";
import { TEAM_PATTERNS, type TeamDraft } from "../schema";

/** A published version in the shape of a draft, with the agent versions it holds. */
export type PublishedTeam = {
  versionId: string;
  teamId: string;
  number: number;
  note: string;
  publishedAt: string;
  publishedBy: string | null;
  draft: TeamDraft;
  nodes: PublishedNode[];
  /** Agents that its supervisors may also start, in their order. */
  allowed: PublishedAllowed[];
};

type PublishedRecord = Omit<PublishedTeam, "draft"> & {
  pattern: string;
  pattern_settings: unknown;
  example: string | null;
  description: string;
  run_limits: unknown;
};

const COLUMNS = `v.id AS "versionId", v.team_id AS "teamId", v.number, v.note, iso(v.published_at) AS "publishedAt",
  u.name AS "publishedBy", v.pattern, v.pattern_settings, v.limits ->> 'example' AS example,
  v.limits -> 'run' AS run_limits,
  coalesce(v.limits ->> 'description', t.description) AS description,
  (SELECT coalesce(json_agg(json_build_object('id', n.id, 'parentId', n.parent_id, 'position', n.position,
      'purpose', n.purpose, 'agentId', av.agent_id, 'agentName', a.name, 'agentVersion', av.number,
      'agentVersionId', av.id) ORDER BY n.position), '[]')
   FROM team_nodes n
   JOIN agent_versions av ON av.workspace_id = n.workspace_id AND av.id = n.agent_version_id
   JOIN agents a ON a.workspace_id = av.workspace_id AND a.id = av.agent_id
   WHERE n.workspace_id = v.workspace_id AND n.team_version_id = v.id) AS nodes,
  (SELECT coalesce(json_agg(json_build_object('agentId', av.agent_id, 'agentName', a.name, 'agentVersion', av.number,
      'agentVersionId', av.id) ORDER BY x.position), '[]')
   FROM team_allowed_agents x
   JOIN agent_versions av ON av.workspace_id = x.workspace_id AND av.id = x.agent_version_id
   JOIN agents a ON a.workspace_id = av.workspace_id AND a.id = av.agent_id
   WHERE x.workspace_id = v.workspace_id AND x.team_version_id = v.id) AS allowed`;
const JOINS = `FROM team_versions v JOIN teams t ON t.workspace_id = v.workspace_id AND t.id = v.team_id
  LEFT JOIN users u ON u.id = v.published_by_id`;

/** The newest version of each team that has one; of all teams when none are named. Deleted teams are left out. */
export async function readByIndexVersions(
  workspaceId: WorkspaceId,
  teamIds: readonly string[] | null = null,
  reader: Reader = pool(),
): Promise<Map<string, PublishedTeam>> {
  const { rows } = await reader.query<PublishedRecord>(
    `SELECT DISTINCT ON (v.team_id) ${COLUMNS} ${JOINS}
     WHERE v.workspace_id = $1 AND t.archived_at IS NULL AND ($2::uuid[] IS NULL OR v.team_id = ANY($2::uuid[]))
     ORDER BY v.team_id, v.number DESC`,
    [workspaceId, teamIds],
  );
  return new Map(rows.map((row) => [row.teamId, toPublished(row)]));
}

/** One version; undefined when there is none of that number. */
export async function readVersion(
  workspaceId: WorkspaceId,
  { teamId, number }: { teamId: string; number: number },
  reader: Reader = pool(),
): Promise<PublishedTeam | undefined> {
  const { rows } = await reader.query<PublishedRecord>(
    `SELECT ${COLUMNS} ${JOINS}
     WHERE v.workspace_id = $1 AND v.team_id = $2 AND v.number = $3 AND t.archived_at IS NULL`,
    [workspaceId, teamId, number],
  );
  return rows[0] && toPublished(rows[0]);
}

function toPublished({
  pattern,
  pattern_settings,
  example,
  description,
  run_limits,
  ...row
}: PublishedRecord): PublishedTeam {
  const known = TEAM_PATTERNS.find((word) => word === pattern) ?? "coordinate";
  return {
    ...row,
    draft: {
      description,
      pattern: known,
      patternSettings: patternSettings.parse(pattern_settings),
      example: example ?? "",
      limits: runLimits.parse(run_limits ?? {}),
      root: treeOf(row.nodes),
      alsoAllowed: row.allowed.map(({ agentId }) => agentId),
    },
  };
}
