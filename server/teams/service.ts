import type pg from "pg";
import { v7 as uuidv7 } from "uuid";
import type { Prisma } from "@/prisma/generated/client";
import { copyName, LOOK_FIRST, quoted, savedMeanwhile, TEXT_IS_KEPT } from "@/server/agents/rules";
import { storable, storedJson } from "@/server/engine/stored-json";
import { AppError } from "@/server/errors";
import { inTransaction, namesAreUnique } from "@/server/transaction";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { readByIndexVersions, readVersion } from "./queries/read-published";
import { EMPTY_DRAFT } from "./rules";
import { type TeamDraft, teamDraft } from "./schema";
import { storeTeamVersion } from "./service/store-version";

type TeamRow = {
  id: string;
  name: string;
  draft: unknown;
  draft_revision: number;
  updated_at: Date;
  saved_by_id: string | null;
  saved_by: string | null;
};

const NO_TEAM = "There is no such team, or it was deleted.";

/** Stores a new team as a draft, whatever stands in the way of publishing it. Throws CONFLICT for a name in use. */
export async function createTeam(scope: Scope, { name, draft }: { name: string; draft: TeamDraft }): Promise<string> {
  return storingName(name, () => inTransaction((client) => insertDraft(client, scope, name, draft)));
}

async function insertDraft(client: pg.PoolClient, scope: Scope, name: string, draft: TeamDraft): Promise<string> {
  const teamId = uuidv7();
  await client.query(
    `insert into teams (id, workspace_id, name, description, draft, draft_saved_by_id) values ($1, $2, $3, $4, $5, $6)`,
    [teamId, scope.workspaceId, storable(name), storable(draft.description), storedJson(draft), scope.userId],
  );
  return teamId;
}

/**
 * Stores name and draft, if `draftRevision` is still the newest: two people who edit at once never overwrite each other
 * unseen. Throws NOT_FOUND, and CONFLICT for a newer draft (says who saved it when) or a name in use.
 */
export async function saveTeamDraft(
  scope: Scope,
  { teamId, draftRevision, name, draft }: { teamId: string; draftRevision: number; name: string; draft: TeamDraft },
): Promise<void> {
  await storingName(name, () =>
    inTransaction(async (client) => {
      const { rowCount } = await client.query(
        `update teams set name = $4, draft = $5, draft_revision = draft_revision + 1, draft_saved_by_id = $6, updated_at = now()
         where workspace_id = $1 and id = $2 and draft_revision = $3 and archived_at is null`,
        [scope.workspaceId, teamId, draftRevision, storable(name), storedJson(draft), scope.userId],
      );
      if (!rowCount) throw newerDraft(scope, await lockTeam(client, scope, teamId), TEXT_IS_KEPT);
    }),
  );
}

/** Copies a version into the draft. Throws NOT_FOUND for team or number, CONFLICT for a newer draft. */
export async function restoreTeamVersion(
  scope: Scope,
  { teamId, number, draftRevision }: { teamId: string; number: number; draftRevision: number },
): Promise<void> {
  await inTransaction(async (client) => {
    const team = await lockTeam(client, scope, teamId);
    const version = await readVersion(scope.workspaceId, { teamId, number }, client);
    if (!version) throw new AppError("NOT_FOUND", "There is no such version of this team.");
    if (team.draft_revision !== draftRevision) throw newerDraft(scope, team, LOOK_FIRST);
    await client.query(
      `update teams set draft = $3, draft_revision = draft_revision + 1, draft_saved_by_id = $4, updated_at = now()
       where workspace_id = $1 and id = $2`,
      [scope.workspaceId, teamId, storedJson(version.draft), scope.userId],
    );
  });
}

/**
 * Publishes the draft as the next version, with the newest version of each agent: what runs use from now on. What is
 * already published like that makes no other version. Throws NOT_FOUND, CONFLICT for a newer draft, INVALID with every
 * problem.
 */
export async function publishTeam(
  scope: Scope,
  { teamId, draftRevision, note }: { teamId: string; draftRevision: number; note: string },
): Promise<{ number: number }> {
  return inTransaction(async (client) => {
    const team = await lockTeam(client, scope, teamId);
    if (team.draft_revision !== draftRevision) throw newerDraft(scope, team, LOOK_FIRST);
    const newest = (await readByIndexVersions(scope.workspaceId, [teamId], client)).get(teamId);
    const draft = draftOf(team, newest?.draft);
    return { number: await storeTeamVersion(client, scope, { team, newest, draft, draftRevision, note }) };
  });
}

/**
 * The next version of a team: the newest published tree with the newest version of each agent. The draft stays as it is.
 * Where nothing is newer the version stays too. Throws NOT_FOUND, INVALID for a team never published or with a problem.
 */
export async function updateTeamAgents(scope: Scope, teamId: string): Promise<{ number: number }> {
  return inTransaction(async (client) => {
    const team = await lockTeam(client, scope, teamId);
    const newest = (await readByIndexVersions(scope.workspaceId, [teamId], client)).get(teamId);
    if (!newest) throw new AppError("INVALID", `${quoted(team.name)} was never published. Publish it first.`);
    const note = "Takes the newest version of each agent.";
    const next = { team, newest, draft: newest.draft, draftRevision: 0, note };
    return { number: await storeTeamVersion(client, scope, next) };
  });
}

/** Stores a copy of the draft under a free name. Throws NOT_FOUND, and CONFLICT when that name is taken meanwhile. */
export async function duplicateTeam(scope: Scope, teamId: string): Promise<string> {
  return namesAreUnique("teams_name_key", "Somebody took the name of the copy just now. Try again.", () =>
    inTransaction(async (client) => {
      const team = await lockTeam(client, scope, teamId);
      const newest = (await readByIndexVersions(scope.workspaceId, [teamId], client)).get(teamId);
      const { rows } = await client.query<{ name: string }>(
        "select name from teams where workspace_id = $1 and archived_at is null",
        [scope.workspaceId],
      );
      const name = copyName(team.name, new Set(rows.map((row) => row.name)));
      return insertDraft(client, scope, name, draftOf(team, newest?.draft));
    }),
  );
}

/** Takes a team out of use; its versions and runs stay. Throws NOT_FOUND, also for one already deleted. */
export async function removeTeam(scope: Scope, teamId: string): Promise<void> {
  await inTransaction(async (client) => {
    const { rowCount } = await client.query(
      "update teams set archived_at = now() where workspace_id = $1 and id = $2 and archived_at is null",
      [scope.workspaceId, teamId],
    );
    if (!rowCount) throw new AppError("NOT_FOUND", NO_TEAM);
  });
}

/** A team that a seed published has no draft: its form begins from the newest version. */
function draftOf({ draft }: TeamRow, published: TeamDraft | undefined): TeamDraft {
  return draft ? teamDraft.parse(draft) : (published ?? EMPTY_DRAFT);
}

async function lockTeam(client: pg.PoolClient, scope: Scope, teamId: string): Promise<TeamRow> {
  const { rows } = await client.query<TeamRow>(
    `select t.id, t.name, t.draft, t.draft_revision, t.updated_at, t.draft_saved_by_id as saved_by_id,
       (select u.name from users u where u.id = t.draft_saved_by_id) as saved_by
     from teams t where t.workspace_id = $1 and t.id = $2 and t.archived_at is null for no key update`,
    [scope.workspaceId, teamId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", NO_TEAM);
  return rows[0];
}

function newerDraft(scope: Scope, { saved_by, saved_by_id, updated_at }: TeamRow, effect: string): AppError {
  const save = { by: saved_by, isOwn: saved_by_id === scope.userId, at: updated_at };
  return new AppError("CONFLICT", savedMeanwhile("team", save, effect));
}

function storingName<T>(name: string, work: () => Promise<T>): Promise<T> {
  return namesAreUnique("teams_name_key", `There is already a team called ${quoted(name)}. Choose another name.`, work);
}

/** A place in the tree, and the places below it in order. */
type SeedPlace = { agentVersionId: string; children?: SeedPlace[] };
type CreateTeam = {
  workspaceId: WorkspaceId;
  name: string;
  description: string;
  /** `example`: a first request to try, offered where the team is started. */
  limits: { example?: string };
  root: SeedPlace;
};

/**
 * For seeds: a team with version 1, as given. It names agent versions, so later edits of an agent do not change it.
 * Throws CONFLICT for a name in use.
 */
export async function createPublishedTeam(
  tx: Prisma.TransactionClient,
  { workspaceId, name, description, limits, root }: CreateTeam,
): Promise<{ teamId: string; teamVersionId: string; number: number }> {
  const taken = await tx.team.findFirst({ where: { workspaceId, name, archivedAt: null }, select: { id: true } });
  if (taken) throw new AppError("CONFLICT", `There is already a team called ${quoted(name)}.`);
  const [teamId, teamVersionId] = [uuidv7(), uuidv7()];
  await tx.team.create({ data: { id: teamId, workspaceId, name, description } });
  await tx.teamVersion.create({ data: { id: teamVersionId, workspaceId, teamId, number: 1, limits } });
  await tx.teamNode.createMany({
    data: nodesOf(root, { workspaceId, teamVersionId }, { parentId: null, position: 0 }),
  });
  return { teamId, teamVersionId, number: 1 };
}

/** Parents before children, as the foreign key wants them. */
function nodesOf(
  place: SeedPlace,
  owner: { workspaceId: WorkspaceId; teamVersionId: string },
  at: { parentId: string | null; position: number },
): Prisma.TeamNodeCreateManyInput[] {
  const id = uuidv7();
  const below = (place.children ?? []).flatMap((child, position) => nodesOf(child, owner, { parentId: id, position }));
  return [{ id, ...owner, ...at, agentVersionId: place.agentVersionId }, ...below];
}
