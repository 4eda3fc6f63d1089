import type pg from "pg";
import { v7 as uuidv7 } from "uuid";
import { problemSentence, quoted } from "@/server/agents/rules";
import type { AgentPublished } from "@/server/agents/schema";
import { storable, storedJson } from "@/server/engine/stored-json";
import { AppError } from "@/server/errors";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { readAgentFacts } from "../queries/read-agent-facts";
import { type PublishedTeam, readByIndexVersions } from "../queries/read-published";
import {
  agentsNamed,
  isSameDraft,
  type PinnedPlace,
  pinned,
  pinnedTreeOf,
  pinnedVersion,
  teamProblems,
} from "../rules";
import type { TeamDraft } from "../schema";

type NextVersion = {
  team: { id: string; name: string };
  newest: PublishedTeam | undefined;
  draft: TeamDraft;
  /** Agent versions to choose from; left out: all, so that each agent's newest is taken. */
  among?: readonly string[];
  /** 0 for a version that only takes newer agents. */
  draftRevision: number;
  note: string;
};

/**
 * Stores the next version of a team and returns its number, or the newest one's when that says the same already.
 * The caller holds the team's row. Throws INVALID with every problem of the tree.
 */
export async function storeTeamVersion(
  client: pg.PoolClient,
  scope: Scope,
  { team, newest, draft, among, draftRevision, note }: NextVersion,
): Promise<number> {
  const { workspaceId } = scope;
  const agents = await readAgentFacts(workspaceId, agentsNamed(draft), { reader: client, among });
  const problems = teamProblems(draft, agents);
  if (!draft.root || problems.length) throw new AppError("INVALID", problemSentence(quoted(team.name), problems));

  const root = pinned(draft.root, agents);
  const allowed = draft.alsoAllowed.map((agentId) => pinnedVersion(agentId, agents));
  if (newest && isSameDraft(draft, newest.draft) && holdsTheSame(newest, root, allowed)) return newest.number;
  const [versionId, number] = [uuidv7(), (newest?.number ?? 0) + 1];
  const { description, example, limits, pattern, patternSettings } = draft;
  await client.query(
    `insert into team_versions (id, workspace_id, team_id, number, pattern, pattern_settings, limits, note, draft_revision, published_by_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[
        versionId,
        workspaceId,
        team.id,
        number,
        pattern,
        storedJson(patternSettings),
        storedJson({ ...(example ? { example } : {}), description, run: limits }),
      ],
      ...[storable(note), draftRevision, scope.userId],
    ],
  );
  await client.query(
    `insert into team_nodes (id, workspace_id, team_version_id, parent_id, agent_version_id, position, purpose)
     select id, $1, $2, "parentId", "agentVersionId", position, purpose
     from json_to_recordset($3) as n(id uuid, "parentId" uuid, "agentVersionId" uuid, position int, purpose text)`,
    [workspaceId, versionId, storedJson(nodesOf(root, { parentId: null, position: 0 }))],
  );
  await client.query(
    `insert into team_allowed_agents (workspace_id, team_version_id, agent_version_id, position)
     select $1, $2, version, nth - 1 from unnest($3::uuid[]) with ordinality as allowed(version, nth)`,
    [workspaceId, versionId, allowed],
  );
  // Lists of teams that can be started read it here.
  await client.query("update teams set description = $3 where workspace_id = $1 and id = $2", [
    ...[workspaceId, team.id, storable(description)],
  ]);
  return number;
}

/** The very versions of all its agents. */
function holdsTheSame(newest: PublishedTeam, root: PinnedPlace, allowed: readonly string[]): boolean {
  const held = newest.allowed.map(({ agentVersionId }) => agentVersionId);
  return isSameTree(root, pinnedTreeOf(newest.nodes)) && JSON.stringify(held) === JSON.stringify(allowed);
}

function isSameTree(one: PinnedPlace, other: PinnedPlace | null): boolean {
  const plain = ({ agentVersionId, purpose, children }: PinnedPlace): unknown[] => [
    ...[agentVersionId, purpose?.trim() || null, children.map(plain)],
  ];
  return other !== null && JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}

type NodeRow = {
  id: string;
  parentId: string | null;
  agentVersionId: string;
  position: number;
  purpose: string | null;
};

/** Parents before children. */
function nodesOf(place: PinnedPlace, at: { parentId: string | null; position: number }): NodeRow[] {
  const { agentVersionId, purpose, children } = place;
  const id = uuidv7();
  return [
    { id, ...at, agentVersionId, purpose },
    ...children.flatMap((child, position) => nodesOf(child, { parentId: id, position })),
  ];
}

type TakenVersion = { agentId: string; agentName: string; agentVersionId: string; number: number };

/**
 * Gives each of the teams a next version that differs only in holding this agent version, inside the caller's
 * transaction. Throws NOT_FOUND for a team that is gone, INVALID for one that no longer holds the agent or cannot take it.
 */
export async function takeAgentVersion(
  client: pg.PoolClient,
  scope: Scope,
  taken: TakenVersion,
  teamIds: readonly string[],
): Promise<AgentPublished["updatedTeams"]> {
  const wanted = [...new Set(teamIds)];
  if (!wanted.length) return [];
  const teams = await lockTeams(client, scope.workspaceId, wanted);
  if (teams.length < wanted.length) {
    throw new AppError("NOT_FOUND", "A team to update was deleted meanwhile. Reload and choose again.");
  }
  const newest = await readByIndexVersions(scope.workspaceId, wanted, client);
  const updated: AgentPublished["updatedTeams"] = [];
  for (const team of teams) {
    const held = newest.get(team.id);
    const agents = [...(held?.nodes ?? []), ...(held?.allowed ?? [])];
    if (!held || !agents.some(({ agentId }) => agentId === taken.agentId)) {
      throw new AppError("INVALID", `${quoted(team.name)} does not hold this agent any more. Reload and choose again.`);
    }
    const others = agents.filter(({ agentId }) => agentId !== taken.agentId);
    const version = await storeTeamVersion(client, scope, {
      ...{ team, newest: held, draft: held.draft, draftRevision: 0 },
      among: [taken.agentVersionId, ...others.map(({ agentVersionId }) => agentVersionId)],
      note: `Takes ${taken.agentName} version ${taken.number}.`,
    });
    updated.push({ id: team.id, name: team.name, version });
  }
  return updated;
}

/** In one order for everybody, so that two publications never wait for each other. */
async function lockTeams(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  teamIds: readonly string[],
): Promise<{ id: string; name: string }[]> {
  const { rows } = await client.query<{ id: string; name: string }>(
    `select id, name from teams where workspace_id = $1 and id = any($2::uuid[]) and archived_at is null
     order by id for no key update`,
    [workspaceId, teamIds],
  );
  return rows;
}
