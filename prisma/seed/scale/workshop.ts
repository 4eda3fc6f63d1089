import type { Prisma } from "@/prisma/generated/client";
import { type AgentConfig, agentConfig } from "@/server/agents/schema";
import { db } from "@/server/db";
import { deriveId } from "@/server/engine/ids";
import { retrievalSettings } from "@/server/knowledge/schema";
import { BUILT_IN_DIMS } from "@/server/retrieval/built-in-embedder";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { Random } from "./random";
import { DOCS, FIND, HELPDESK_TOOLS, UPDATE } from "./tools";
import { FIELDS, LEADS, TEAM_KINDS, WORKERS } from "./words";

/** Somebody of a team, with whom it leads. */
export type Cast = { agentVersionId: string; teamNodeId: string; name: string; purpose: string; below: Cast[] };
export type CastTeam = { teamId: string; teamVersionId: string; root: Cast };

export const MODEL = { provider: "example-cloud", name: "general-1", inputNanoUsd: 400, outputNanoUsd: 1_600 };
const PRICED = {
  kind: "chat",
  contextTokens: 200_000,
  inputNanoUsdPerMtok: 400_000_000n,
  outputNanoUsdPerMtok: 1_600_000_000n,
};
const BASE = "Company handbook";
const SERVER = "helpdesk";
const LONG_NAME = "Liaison for escalations of the returns and warranty circle";

/** Providers without keys, a tool server nobody connects to, and an empty base. Found again by name. */
export async function findOrCreateSurroundings(workspaceId: WorkspaceId): Promise<{ baseId: string }> {
  for (const [name, host] of [
    ["example-cloud", "models"],
    ["example-lab", "lab"],
  ] as const) {
    const id = deriveId(workspaceId, `scale provider ${name}`);
    const models = ["general-1", "general-1-small"].map((model) => ({
      id: deriveId(id, model),
      name: model,
      ...PRICED,
    }));
    if (await db().provider.findFirst({ where: { workspaceId, name }, select: { id: true } })) continue;
    await db().provider.create({
      data: { id, workspaceId, name, baseUrl: `https://${host}.example.com/v1`, models: { create: models } },
    });
  }
  await db().toolServer.createMany({
    data: [
      {
        ...{ id: deriveId(workspaceId, "scale tool server"), workspaceId, name: SERVER, transport: "http" },
        ...{ url: "https://helpdesk.example.com/mcp", tools: HELPDESK_TOOLS as Prisma.InputJsonArray },
      },
    ],
    skipDuplicates: true,
  });
  const where = { workspaceId, name: BASE, conversationId: null };
  const base =
    (await db().knowledgeBase.findFirst({ where, select: { id: true } })) ??
    (await db().knowledgeBase.create({
      data: {
        ...{ ...where, id: deriveId(workspaceId, "scale base"), dims: BUILT_IN_DIMS },
        ...{ description: "Made by the scale seed.", settings: retrievalSettings.parse({}) },
      },
      select: { id: true },
    }));
  return { baseId: base.id };
}

type SeedAgent = { id: string; name: string; leads: boolean; config: AgentConfig; versionIds: string[] };

/** Agents with one to four versions each; a third may lead. One in seven has changes that are not published. */
export async function findOrCreateAgents(
  workspaceId: WorkspaceId,
  { agents: count, baseId }: { agents: number; baseId: string },
): Promise<SeedAgent[]> {
  const agents = Array.from({ length: count }, (_, i) => describeAgent(workspaceId, i, baseId));
  await db().$transaction([
    db().agent.createMany({
      data: agents.map(({ id, name, config }, i) => ({
        ...{ id, workspaceId, name },
        draft: i % 7 === 3 ? { ...config, instructions: `${config.instructions} Say what you did not find.` } : config,
      })),
      skipDuplicates: true,
    }),
    db().agentVersion.createMany({
      data: agents.flatMap(({ id, config, versionIds }) =>
        versionIds.map((versionId, i) => ({
          ...{ id: versionId, workspaceId, agentId: id, number: i + 1, draftRevision: i + 1 },
          ...{ note: i === 0 ? "First version." : `Round ${i + 1} of reviews.` },
          config: i + 1 < versionIds.length ? { ...config, maxToolRounds: 20 + i } : config,
        })),
      ),
      skipDuplicates: true,
    }),
  ]);
  return agents;
}

function describeAgent(workspaceId: WorkspaceId, i: number, baseId: string): SeedAgent {
  const random = new Random(`agent ${i}`);
  const leads = i % 3 === 0;
  const field = FIELDS[i % FIELDS.length] ?? FIELDS[0];
  const kind = leads ? random.pick(LEADS) : random.pick(WORKERS);
  const number = String(i + 1).padStart(3, "0");
  const name = i === 5 ? `${LONG_NAME} ${number}` : `${field} ${kind} ${number}`;
  const id = deriveId(workspaceId, `scale agent ${i}`);
  const own = leads ? ["user__ask"] : i % 3 === 1 ? [DOCS.name, FIND.name, UPDATE.name] : [DOCS.name];
  const config = agentConfig.parse({
    purpose: leads
      ? `Leads the work on ${field.toLowerCase()} and answers for it.`
      : `Does the part of the ${kind} in ${field.toLowerCase()}.`,
    instructions: `You are ${name}. Work from the handbook and cite it.`,
    ...{
      tools: own,
      knowledge: leads ? [] : [baseId],
      canSpawnAgents: leads,
      maxToolRounds: 400,
      maxConcurrentAgents: 8,
    },
    ...(i % 3 === 2 ? { askBefore: [DOCS.name] } : {}),
  });
  const versionIds = Array.from({ length: 1 + (i % 4) }, (_, n) => deriveId(id, `version ${n + 1}`));
  return { id, name, leads, config, versionIds };
}

/** Teams from one level to three, made of those agents; some hold an older version of one. */
export async function findOrCreateTeams(
  workspaceId: WorkspaceId,
  { teams: count, agents }: { teams: number; agents: readonly SeedAgent[] },
): Promise<CastTeam[]> {
  const teams = Array.from({ length: count }, (_, i) => describeTeam(workspaceId, i, agents));
  await db().$transaction([
    db().team.createMany({ data: teams.map(({ row }) => row), skipDuplicates: true }),
    db().teamVersion.createMany({
      data: teams.map(({ cast: { teamId, teamVersionId } }) => ({
        ...{ id: teamVersionId, workspaceId, teamId, number: 1, limits: { example: "Check a damaged parcel" } },
      })),
      skipDuplicates: true,
    }),
    db().teamNode.createMany({ data: teams.flatMap(({ cast }) => nodesOf(workspaceId, cast)), skipDuplicates: true }),
  ]);
  return teams.map(({ cast }) => cast);
}

function describeTeam(workspaceId: WorkspaceId, i: number, agents: readonly SeedAgent[]) {
  const teamId = deriveId(workspaceId, `scale team ${i}`);
  const leads = agents.filter((agent) => agent.leads);
  const workers = agents.filter((agent) => !agent.leads);
  const take = (list: readonly SeedAgent[], nth: number) => list[nth % list.length] as SeedAgent;
  const place = ({ name, config, versionIds }: SeedAgent, path: string, below: Cast[]): Cast => ({
    ...{ name, purpose: config.purpose, below, teamNodeId: deriveId(teamId, `node ${path}`) },
    agentVersionId: (i % 5 === 4 ? versionIds[0] : versionIds.at(-1)) as string,
  });
  const someWorkers = (from: number, most: number, path: string) =>
    Array.from({ length: Math.min(most, workers.length) }, (_, n) =>
      place(take(workers, from + n), `${path}.${n}`, []),
    );
  const depth = 1 + (i % 3);
  const under = (level: number, path: string): Cast[] =>
    level >= depth || leads.length <= level
      ? someWorkers(i * 3 + level, 3 + (i % 3), path)
      : Array.from({ length: Math.min(level === 1 ? 3 : 1, leads.length - level) }, (_, n) =>
          place(take(leads, i + level * 4 + n), `${path}.${n}`, under(level + 1, `${path}.${n}`)),
        );
  const root = place(take(leads, i), "0", under(1, "0"));
  const name = `${FIELDS[i % FIELDS.length]} ${TEAM_KINDS[Math.floor(i / FIELDS.length) % TEAM_KINDS.length]} ${String(i + 1).padStart(2, "0")}`;
  const description = `Works on ${FIELDS[i % FIELDS.length]?.toLowerCase()}. Made by the scale seed.`;
  return {
    row: { id: teamId, workspaceId, name, description },
    cast: { teamId, teamVersionId: deriveId(teamId, "version 1"), root },
  };
}

/** Parents before children. */
function nodesOf(workspaceId: WorkspaceId, { teamVersionId, root }: CastTeam): Prisma.TeamNodeCreateManyInput[] {
  const walk = (cast: Cast, parentId: string | null, position: number): Prisma.TeamNodeCreateManyInput[] => [
    { id: cast.teamNodeId, workspaceId, teamVersionId, parentId, agentVersionId: cast.agentVersionId, position },
    ...cast.below.flatMap((child, i) => walk(child, cast.teamNodeId, i)),
  ];
  return walk(root, null, 0);
}
