import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { agentProblems } from "../rules";
import { type AgentDetail, type AgentVersionDetail, agentConfig } from "../schema";
import { agentTeams } from "./agent-teams";
import { readSurroundings } from "./read-surroundings";

type VersionRecord = AgentDetail["versions"][number];
type DetailRecord = {
  name: string;
  draft: unknown;
  draft_revision: number;
  saved_by: string | null;
  updated_at: Date;
  versions: VersionRecord[];
  published: unknown;
  teams: { id: string; name: string; version: number | null }[];
};

const NO_AGENT = "There is no such agent, or it was deleted.";

/** An agent with its draft, what stands in the way of publishing it, its versions and its teams. Throws NOT_FOUND. */
export async function getAgent(workspaceId: WorkspaceId, agentId: string): Promise<AgentDetail> {
  const { rows } = await pool().query<DetailRecord>(
    `SELECT a.name, a.draft, a.draft_revision, u.name AS saved_by, a.updated_at,
       (SELECT coalesce(json_agg(json_build_object('id', v.id, 'number', v.number, 'note', v.note,
           'publishedAt', iso(v.published_at), 'publishedBy', p.name) ORDER BY v.number DESC), '[]')
        FROM agent_versions v LEFT JOIN users p ON p.id = v.published_by_id
        WHERE v.workspace_id = a.workspace_id AND v.agent_id = a.id) AS versions,
       (SELECT v.config FROM agent_versions v
        WHERE v.workspace_id = a.workspace_id AND v.agent_id = a.id ORDER BY v.number DESC LIMIT 1) AS published,
       (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'version', version) ORDER BY name, id), '[]')
        FROM (SELECT id, name, min(version) AS version FROM (${agentTeams({ onlyAgent: true })}) held
          GROUP BY id, name) t) AS teams
     FROM agents a LEFT JOIN users u ON u.id = a.draft_saved_by_id
     WHERE a.workspace_id = $1 AND a.id = $2::uuid AND a.archived_at IS NULL`,
    [workspaceId, agentId],
  );
  const row = rows[0];
  if (!row) throw new AppError("NOT_FOUND", NO_AGENT);
  const draft = agentConfig.parse(row.draft);
  const newest = row.versions[0]?.number ?? 0;
  return {
    id: agentId,
    name: row.name,
    draft,
    draftRevision: row.draft_revision,
    draftSavedBy: row.saved_by,
    updatedAt: row.updated_at.toISOString(),
    problems: agentProblems(draft, await readSurroundings(workspaceId, agentId)),
    versions: row.versions,
    published: row.published ? agentConfig.parse(row.published) : null,
    teams: row.teams.map((team) => ({ ...team, isBehind: team.version !== null && team.version < newest })),
  };
}

/** A published version. Throws NOT_FOUND, for the agent or the number. */
export async function getAgentVersion(
  workspaceId: WorkspaceId,
  { agentId, number }: { agentId: string; number: number },
): Promise<AgentVersionDetail> {
  const { rows } = await pool().query<{ config: unknown; note: string; at: Date; by: string | null }>(
    `SELECT v.config, v.note, v.published_at AS at, u.name AS by
     FROM agent_versions v JOIN agents a ON a.workspace_id = v.workspace_id AND a.id = v.agent_id
     LEFT JOIN users u ON u.id = v.published_by_id
     WHERE v.workspace_id = $1 AND v.agent_id = $2 AND v.number = $3 AND a.archived_at IS NULL`,
    [workspaceId, agentId, number],
  );
  const row = rows[0];
  if (!row) throw new AppError("NOT_FOUND", "There is no such version of this agent.");
  const config = agentConfig.parse(row.config);
  return { number, config, note: row.note, publishedAt: row.at.toISOString(), publishedBy: row.by };
}
