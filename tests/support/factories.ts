import { v7 as uuid } from "uuid";
import type { PrismaClient } from "@/prisma/generated/client";
import { type AgentConfig, agentConfig } from "@/server/agents/schema";
import { DEFAULT_PATTERN_SETTINGS, type PatternSettings } from "@/server/engine/pattern-settings";
import type { TeamPattern } from "@/server/teams/schema";
import { provenWorkspace, type Role, type Scope, type WorkspaceId } from "@/server/workspaces/scope";

/** Rows to begin a test with. Names are unique unless given, so that factories never collide. */

export async function aWorkspace(db: PrismaClient, name = "Test workspace"): Promise<WorkspaceId> {
  const { id } = await db.workspace.create({ data: { id: uuid(), name } });
  return provenWorkspace(id);
}

export async function aUser(
  db: PrismaClient,
  name = "Ada Tester",
): Promise<{ id: string; name: string; email: string }> {
  const id = uuid();
  return db.user.create({
    data: { id, name, email: `${id}@example.test`, passwordHash: "not a hash: nobody signs in with it" },
    select: { id: true, name: true, email: true },
  });
}

/** A user with a role in the workspace, as the scope its requests would carry. */
export async function aMember(db: PrismaClient, workspaceId: WorkspaceId, role: Role = "owner"): Promise<Scope> {
  const user = await aUser(db);
  await db.member.create({ data: { workspaceId, userId: user.id, role } });
  return { workspaceId, userId: user.id, userName: user.name, role };
}

export async function anAgent(
  db: PrismaClient,
  workspaceId: WorkspaceId,
  { name = `Agent ${uuid().slice(-6)}`, ...config }: Partial<AgentConfig> & { name?: string } = {},
): Promise<{ agentId: string; agentVersionId: string; name: string }> {
  const draft = agentConfig.parse({ purpose: `Does what ${name} does.`, instructions: `You are ${name}.`, ...config });
  const agentId = uuid();
  const agentVersionId = uuid();
  await db.agent.create({ data: { id: agentId, workspaceId, name, draft } });
  await db.agentVersion.create({ data: { id: agentVersionId, workspaceId, agentId, number: 1, config: draft } });
  return { agentId, agentVersionId, name };
}

export type TeamFixture = {
  teamId: string;
  teamVersionId: string;
  root: NodeFixture;
  children: NodeFixture[];
};
export type NodeFixture = { teamNodeId: string; agentVersionId: string; name: string };

/** A published team: one supervisor over the named agents. */
export async function aTeam(
  db: PrismaClient,
  workspaceId: WorkspaceId,
  {
    name = `Team ${uuid().slice(-6)}`,
    description = "",
    pattern = "coordinate",
    patternSettings = DEFAULT_PATTERN_SETTINGS,
    example,
    supervisor = {},
    agents = [{}, {}],
  }: {
    name?: string;
    description?: string;
    pattern?: TeamPattern;
    patternSettings?: PatternSettings;
    example?: string;
    supervisor?: Parameters<typeof anAgent>[2];
    agents?: Parameters<typeof anAgent>[2][];
  } = {},
): Promise<TeamFixture> {
  const teamId = uuid();
  const teamVersionId = uuid();
  await db.team.create({ data: { id: teamId, workspaceId, name, description } });
  await db.teamVersion.create({
    data: { id: teamVersionId, workspaceId, teamId, number: 1, pattern, patternSettings, limits: { example } },
  });

  const node = async (agent: Parameters<typeof anAgent>[2], parentId: string | null, position: number) => {
    const { agentVersionId, name: agentName } = await anAgent(db, workspaceId, agent);
    const teamNodeId = uuid();
    await db.teamNode.create({
      data: { id: teamNodeId, workspaceId, teamVersionId, parentId, agentVersionId, position },
    });
    return { teamNodeId, agentVersionId, name: agentName };
  };
  const root = await node({ canSpawnAgents: true, ...supervisor }, null, 0);
  const children: NodeFixture[] = [];
  for (const [position, agent] of agents.entries()) children.push(await node(agent, root.teamNodeId, position));
  return { teamId, teamVersionId, root, children };
}

/** A run as a bare row, for lists: nothing has happened in it. */
export async function aRun(
  db: PrismaClient,
  workspaceId: WorkspaceId,
  team: Pick<TeamFixture, "teamId" | "teamVersionId">,
  columns: Partial<Parameters<PrismaClient["run"]["create"]>[0]["data"]> = {},
): Promise<{ id: string; title: string }> {
  return db.run.create({
    data: {
      id: uuid(),
      workspaceId,
      teamId: team.teamId,
      teamVersionId: team.teamVersionId,
      title: "A run",
      input: "Do something.",
      model: "rehearsal/rehearsal",
      ...columns,
    } as Parameters<PrismaClient["run"]["create"]>[0]["data"],
    select: { id: true, title: true },
  });
}
