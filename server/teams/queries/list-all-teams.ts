import { pool } from "@/server/db";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { agentsNamed, EMPTY_DRAFT, isSameDraft, namesIn } from "../rules";
import { type ListTeamsInput, type TeamListItem, type TeamName, teamDraft } from "../schema";
import { readAgentFacts } from "./read-agent-facts";
import { readByIndexVersions } from "./read-published";

type TeamRecord = {
  id: string;
  name: string;
  draft: unknown;
  runs: number;
  last_run_at: Date | null;
  updated_at: Date;
};

/** A page of teams by name, published or not. What is shown of each comes from its draft, as its form does. */
export async function listAllTeams(
  workspaceId: WorkspaceId,
  { search, cursor, limit }: Pick<ListTeamsInput, "search" | "cursor" | "limit">,
): Promise<{ items: TeamListItem[]; nextCursor: string | null }> {
  const { rows: found } = await pool().query<TeamRecord>(
    `SELECT t.id, t.name, t.draft, t.updated_at, r.runs, r.last_run_at
     FROM (SELECT * FROM teams t WHERE t.workspace_id = $1 AND t.archived_at IS NULL
         AND ($2 = '' OR t.name ILIKE $3 OR t.description ILIKE $3)
         AND ($4::uuid IS NULL OR (lower(t.name), t.id) > (SELECT lower(name), id FROM teams WHERE workspace_id = $1 AND id = $4))
       ORDER BY lower(t.name), t.id LIMIT $5) t
     CROSS JOIN LATERAL (SELECT count(*)::int AS runs, max(created_at) AS last_run_at
       FROM runs WHERE workspace_id = $1 AND team_id = t.id) r
     ORDER BY lower(t.name), t.id`,
    [workspaceId, search, `%${search.replace(/[\\%_]/g, "\\$&")}%`, cursor ?? null, limit + 1],
  );
  const rows = found.slice(0, limit);
  const newest = await readByIndexVersions(
    workspaceId,
    rows.map(({ id }) => id),
  );
  const drafts = new Map(
    rows.map(({ id, draft }) => [id, draft ? teamDraft.parse(draft) : (newest.get(id)?.draft ?? EMPTY_DRAFT)]),
  );
  const named = [...drafts.values()].flatMap(agentsNamed);
  const held = [...newest.values()].flatMap(({ nodes, allowed }) =>
    [...nodes, ...allowed].map(({ agentId }) => agentId),
  );
  const agents = await readAgentFacts(workspaceId, [...named, ...held]);

  const items = rows.map(({ id, name, runs, last_run_at, updated_at }) => {
    const draft = drafts.get(id) ?? EMPTY_DRAFT;
    const published = newest.get(id);
    const behind = [...(published?.nodes ?? []), ...(published?.allowed ?? [])].filter(
      ({ agentId, agentVersion }) => agentVersion < (agents.get(agentId)?.version ?? 0),
    );
    return {
      ...{ id, name, runs },
      description: draft.description,
      version: published?.number ?? null,
      hasUnpublishedChanges: !published || !isSameDraft(draft, published.draft),
      agents: namesIn(draft.root, agents),
      behind: new Set(behind.map(({ agentId }) => agentId)).size,
      lastRunAt: last_run_at?.toISOString() ?? null,
      updatedAt: updated_at.toISOString(),
    };
  });
  return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}

const MOST = 1_000;

/** The names of all teams, to go to one. */
export async function listTeamNames(workspaceId: WorkspaceId): Promise<TeamName[]> {
  const { rows } = await pool().query<TeamName>(
    `SELECT id, name FROM teams WHERE workspace_id = $1 AND archived_at IS NULL ORDER BY lower(name), id LIMIT ${MOST}`,
    [workspaceId],
  );
  return rows;
}
