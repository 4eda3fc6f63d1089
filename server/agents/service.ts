import type pg from "pg";
import { v7 as uuidv7 } from "uuid";
import type { Prisma } from "@/prisma/generated/client";
import { storable, storedJson } from "@/server/engine/stored-json";
import { ENGINE_TOOLS } from "@/server/engine/tools/engine-tools";
import { AppError } from "@/server/errors";
import { takeAgentVersion } from "@/server/teams/service/store-version";
import { TOOLS } from "@/server/tools/catalog";
import { inTransaction, namesAreUnique } from "@/server/transaction";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { getAgentVersion } from "./queries/get-agent";
import { readSurroundings } from "./queries/read-surroundings";
import {
  agentProblems,
  copyName,
  isSameConfig,
  LOOK_FIRST,
  problemSentence,
  quoted,
  savedMeanwhile,
  TEXT_IS_KEPT,
} from "./rules";
import { type AgentConfig, type AgentPublished, agentConfig } from "./schema";

type AgentVersionRef = { agentId: string; agentVersionId: string; number: number };
type AgentRow = {
  name: string;
  draft: unknown;
  draft_revision: number;
  updated_at: Date;
  saved_by_id: string | null;
  saved_by: string | null;
};

const NO_AGENT = "There is no such agent, or it was deleted.";

/** Stores a new agent as a draft, whatever stands in the way of publishing it. Throws CONFLICT for a name in use. */
export async function createAgent(
  scope: Scope,
  { name, config }: { name: string; config: AgentConfig },
): Promise<string> {
  return storingName(name, () => inTransaction((client) => insertDraft(client, scope, name, config)));
}

async function insertDraft(client: pg.PoolClient, scope: Scope, name: string, config: unknown): Promise<string> {
  const agentId = uuidv7();
  await client.query(
    "insert into agents (id, workspace_id, name, draft, draft_saved_by_id) values ($1, $2, $3, $4, $5)",
    [agentId, scope.workspaceId, storable(name), storedJson(config), scope.userId],
  );
  return agentId;
}

/**
 * Stores name and draft, if `draftRevision` is still the newest: two people who edit at once never overwrite each other
 * unseen. The name counts at once, in every team; versions hold the configuration only.
 * Throws NOT_FOUND, and CONFLICT for a newer draft (says who saved it when) or a name in use.
 */
export async function saveAgentDraft(
  scope: Scope,
  {
    agentId,
    draftRevision,
    name,
    config,
  }: { agentId: string; draftRevision: number; name: string; config: AgentConfig },
): Promise<void> {
  await storingName(name, () =>
    inTransaction(async (client) => {
      const { rowCount } = await client.query(
        `update agents set name = $4, draft = $5, draft_revision = draft_revision + 1, draft_saved_by_id = $6, updated_at = now()
         where workspace_id = $1 and id = $2 and draft_revision = $3 and archived_at is null`,
        [scope.workspaceId, agentId, draftRevision, storable(name), storedJson(config), scope.userId],
      );
      if (!rowCount) throw newerDraft(scope, await lockAgent(client, scope, agentId), TEXT_IS_KEPT);
    }),
  );
}

/** Copies a version into the draft. Throws NOT_FOUND for agent or number, CONFLICT for a newer draft. */
export async function restoreAgentVersion(
  scope: Scope,
  { agentId, number, draftRevision }: { agentId: string; number: number; draftRevision: number },
): Promise<void> {
  const { config } = await getAgentVersion(scope.workspaceId, { agentId, number });
  await inTransaction(async (client) => {
    const agent = await lockAgent(client, scope, agentId);
    if (agent.draft_revision !== draftRevision) throw newerDraft(scope, agent, LOOK_FIRST);
    await client.query(
      `update agents set draft = $3, draft_revision = draft_revision + 1, draft_saved_by_id = $4, updated_at = now()
       where workspace_id = $1 and id = $2`,
      [scope.workspaceId, agentId, storedJson(config), scope.userId],
    );
  });
}

/**
 * Publishes the draft as the next version, which never changes again, and gives the named teams a next version with it.
 * A draft that is already the newest version makes no other one. All or nothing: throws NOT_FOUND, CONFLICT for a newer
 * draft, INVALID with every problem, or with the team that cannot take this version.
 */
export async function publishAgent(
  scope: Scope,
  publish: { agentId: string; draftRevision: number; note: string; updateTeamIds: readonly string[] },
): Promise<AgentPublished> {
  const { agentId, draftRevision, updateTeamIds } = publish;
  return inTransaction(async (client) => {
    const agent = await lockAgent(client, scope, agentId);
    if (agent.draft_revision !== draftRevision) throw newerDraft(scope, agent, LOOK_FIRST);
    const config = agentConfig.parse(agent.draft);
    const problems = agentProblems(config, await readSurroundings(scope.workspaceId, agentId, client));
    if (problems.length) throw new AppError("INVALID", problemSentence(agent.name, problems));

    const version = await storeVersion(client, scope, { ...publish, config });
    const taken = { ...version, agentId, agentName: agent.name };
    return {
      number: version.number,
      updatedTeams: await takeAgentVersion(client, scope, taken, updateTeamIds),
    };
  });
}

/** The caller holds the agent's row, so numbers follow one another. */
async function storeVersion(
  client: pg.PoolClient,
  scope: Scope,
  {
    agentId,
    draftRevision,
    note,
    config,
  }: { agentId: string; draftRevision: number; note: string; config: AgentConfig },
): Promise<{ number: number; agentVersionId: string }> {
  const { rows } = await client.query<{ id: string; number: number; config: unknown }>(
    "select id, number, config from agent_versions where workspace_id = $1 and agent_id = $2 order by number desc limit 1",
    [scope.workspaceId, agentId],
  );
  const newest = rows[0];
  if (newest && isSameConfig(newest.config, config)) return { number: newest.number, agentVersionId: newest.id };
  const version = { number: (newest?.number ?? 0) + 1, agentVersionId: uuidv7() };
  await client.query(
    `insert into agent_versions (id, workspace_id, agent_id, number, config, note, draft_revision, published_by_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      ...[version.agentVersionId, scope.workspaceId, agentId, version.number, storedJson(config), storable(note)],
      ...[draftRevision, scope.userId],
    ],
  );
  return version;
}

/** Stores a copy of the draft under a free name. Throws NOT_FOUND, and CONFLICT when that name is taken meanwhile. */
export async function duplicateAgent(scope: Scope, agentId: string): Promise<string> {
  return namesAreUnique("agents_name_key", "Somebody took the name of the copy just now. Try again.", () =>
    inTransaction(async (client) => {
      const { name, draft } = await lockAgent(client, scope, agentId);
      const { rows } = await client.query<{ name: string }>(
        "select name from agents where workspace_id = $1 and archived_at is null",
        [scope.workspaceId],
      );
      return insertDraft(client, scope, copyName(name, new Set(rows.map((row) => row.name))), draft);
    }),
  );
}

/**
 * Takes an agent out of use; its versions and runs stay. Teams that hold it can be neither published nor run until it is
 * taken out of them. Throws NOT_FOUND, also for one already deleted.
 */
export async function removeAgent(scope: Scope, agentId: string): Promise<void> {
  await inTransaction(async (client) => {
    const { rowCount } = await client.query(
      "update agents set archived_at = now() where workspace_id = $1 and id = $2 and archived_at is null",
      [scope.workspaceId, agentId],
    );
    if (!rowCount) throw new AppError("NOT_FOUND", NO_AGENT);
  });
}

async function lockAgent(client: pg.PoolClient, scope: Scope, agentId: string): Promise<AgentRow> {
  const { rows } = await client.query<AgentRow>(
    `select a.name, a.draft, a.draft_revision, a.updated_at, a.draft_saved_by_id as saved_by_id,
       (select u.name from users u where u.id = a.draft_saved_by_id) as saved_by
     from agents a where a.workspace_id = $1 and a.id = $2 and a.archived_at is null for no key update`,
    [scope.workspaceId, agentId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", NO_AGENT);
  return rows[0];
}

function newerDraft(scope: Scope, { saved_by, saved_by_id, updated_at }: AgentRow, effect: string): AppError {
  const save = { by: saved_by, isOwn: saved_by_id === scope.userId, at: updated_at };
  return new AppError("CONFLICT", savedMeanwhile("agent", save, effect));
}

function storingName<T>(name: string, work: () => Promise<T>): Promise<T> {
  return namesAreUnique(
    "agents_name_key",
    `There is already an agent called ${quoted(name)}. Choose another name.`,
    work,
  );
}

type CreateAgent = { workspaceId: WorkspaceId; name: string; config: AgentConfig };

/** For seeds: an agent with version 1. Throws CONFLICT for a name in use, INVALID for a tool that is not built in. */
export async function createPublishedAgent(
  tx: Prisma.TransactionClient,
  { workspaceId, name, config }: CreateAgent,
): Promise<AgentVersionRef> {
  const taken = await tx.agent.findFirst({ where: { workspaceId, name, archivedAt: null }, select: { id: true } });
  if (taken) throw new AppError("CONFLICT", `There is already an agent called ${quoted(name)}.`);
  const draft = agentConfig.parse(config);
  const unknown = draft.tools.find((tool) => !TOOLS.has(tool) && !ENGINE_TOOLS.has(tool));
  if (unknown) throw new AppError("INVALID", `There is no tool ${quoted(unknown)}. Take it out of the agent's tools.`);

  const [agentId, agentVersionId] = [uuidv7(), uuidv7()];
  await tx.agent.create({ data: { id: agentId, workspaceId, name, draft } });
  await tx.agentVersion.create({ data: { id: agentVersionId, workspaceId, agentId, number: 1, config: draft } });
  return { agentId, agentVersionId, number: 1 };
}
