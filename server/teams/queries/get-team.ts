import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { agentsNamed, EMPTY_DRAFT, teamProblems } from "../rules";
import { type TeamDetail, type TeamVersionDetail, teamDraft } from "../schema";
import { readAgentFacts } from "./read-agent-facts";
import { readByIndexVersions, readVersion } from "./read-published";

type DetailRecord = {
  name: string;
  draft: unknown;
  draft_revision: number;
  saved_by: string | null;
  updated_at: Date;
  versions: TeamDetail["versions"];
};

/**
 * A team with its draft, what stands in the way of publishing it, its versions and the agents it speaks of.
 * A team that never had a draft begins from its newest version. Throws NOT_FOUND.
 */
export async function getTeam(workspaceId: WorkspaceId, teamId: string): Promise<TeamDetail> {
  const { rows } = await pool().query<DetailRecord>(
    `SELECT t.name, t.draft, t.draft_revision, u.name AS saved_by, t.updated_at,
       (SELECT coalesce(json_agg(json_build_object('id', v.id, 'number', v.number, 'note', v.note,
           'publishedAt', iso(v.published_at), 'publishedBy', p.name) ORDER BY v.number DESC), '[]')
        FROM team_versions v LEFT JOIN users p ON p.id = v.published_by_id
        WHERE v.workspace_id = t.workspace_id AND v.team_id = t.id) AS versions
     FROM teams t LEFT JOIN users u ON u.id = t.draft_saved_by_id
     WHERE t.workspace_id = $1 AND t.id = $2 AND t.archived_at IS NULL`,
    [workspaceId, teamId],
  );
  const row = rows[0];
  if (!row) throw new AppError("NOT_FOUND", "There is no such team, or it was deleted.");
  const newest = (await readByIndexVersions(workspaceId, [teamId])).get(teamId);
  const draft = row.draft ? teamDraft.parse(row.draft) : (newest?.draft ?? EMPTY_DRAFT);
  const oldestLast = [...(newest?.nodes ?? []), ...(newest?.allowed ?? [])].sort(
    (one, other) => other.agentVersion - one.agentVersion,
  );
  const held = new Map(oldestLast.map(({ agentId, agentVersion }) => [agentId, agentVersion]));
  const agents = await readAgentFacts(workspaceId, [...agentsNamed(draft), ...held.keys()]);
  return {
    id: teamId,
    name: row.name,
    draft,
    draftRevision: row.draft_revision,
    draftSavedBy: row.saved_by,
    updatedAt: row.updated_at.toISOString(),
    problems: teamProblems(draft, agents),
    versions: row.versions,
    published: newest?.draft ?? null,
    agents: [...agents.values()].map(({ id, name, purpose, version, isDeleted, canSpawnAgents }) => ({
      ...{ id, name, purpose, version, isDeleted, canSpawnAgents },
      heldVersion: held.get(id) ?? null,
    })),
  };
}

/** A published version. Throws NOT_FOUND, for the team or the number. */
export async function getTeamVersion(
  workspaceId: WorkspaceId,
  place: { teamId: string; number: number },
): Promise<TeamVersionDetail> {
  const version = await readVersion(workspaceId, place);
  if (!version) throw new AppError("NOT_FOUND", "There is no such version of this team.");
  const { number, draft, note, publishedAt, publishedBy, nodes, allowed } = version;
  const agents = new Map(
    [...nodes, ...allowed].map((node) => [
      node.agentId,
      { id: node.agentId, name: node.agentName, version: node.agentVersion },
    ]),
  );
  return { number, draft, note, publishedAt, publishedBy, agents: [...agents.values()] };
}
