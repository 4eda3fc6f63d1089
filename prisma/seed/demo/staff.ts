import { v7 as uuidv7 } from "uuid";
import type { Prisma } from "@/prisma/generated/client";
import { type AgentConfig, agentConfig } from "@/server/agents/schema";
import { createPublishedAgent } from "@/server/agents/service";
import { db } from "@/server/db";
import { createPublishedTeam } from "@/server/teams/service";
import type { WorkspaceId } from "@/server/workspaces/scope";

import { EDITOR, PAGE_REQUEST, REPORTER } from "./writing-desk";

/** An agent by itself that the examples use. */
export type Soloist = { agentId: string; agentVersionId: string; name: string };

const SERVER = "example-files";

const LIBRARIAN =
  "Answer from the documentation and from nothing else. Search first, then quote the sentences that answer, each followed by its citation exactly as the tool gave it.";

type Staff = {
  librarian: Soloist;
  guide: Soloist;
  toolServerId: string;
  /** A team whose supervisor keeps a todo list and a queue of tasks. */
  writing: { teamId: string; agentIds: string[] };
};

/** Agents with a history, a small team, and a tool server that is turned off and was never called. */
export async function createStaff(workspaceId: WorkspaceId, baseId: string): Promise<Staff> {
  return db().$transaction(async (tx) => {
    const librarian = await createAgent(tx, workspaceId, "Librarian", [
      config({
        purpose: "Example: answers questions about this product in a conversation.",
        instructions: LIBRARIAN,
        knowledge: [baseId],
      }),
    ]);
    await addVersions(tx, workspaceId, librarian, [
      { note: "Quotes whole sentences.", instructions: `${LIBRARIAN} Quote whole sentences.` },
      {
        note: "Says what the documentation does not say.",
        instructions: `${LIBRARIAN} Quote whole sentences. Say what the documentation does not say.`,
      },
    ]);
    const guide = await createAgent(tx, workspaceId, "Guide", [
      config({
        purpose: "Example: looks things up in the built-in help, and asks before it does.",
        instructions: "Look the question up and answer with what was found, with its citations.",
        ...{ tools: ["docs__search"], askBefore: ["docs__search"] },
      }),
    ]);
    const toolServerId = uuidv7();
    await tx.toolServer.create({
      data: {
        id: toolServerId,
        workspaceId,
        name: SERVER,
        transport: "http",
        url: "https://files.example.com/mcp",
        enabled: false,
      },
    });
    const experienced = await newest(tx, librarian);
    const writing = await createWritingDesk(tx, { workspaceId, baseId, librarian: experienced });
    return { librarian: experienced, guide, toolServerId, writing };
  });
}

/** An editor over the librarian and a reporter, who asks when it is in doubt. */
async function createWritingDesk(
  tx: Prisma.TransactionClient,
  { workspaceId, baseId, librarian }: { workspaceId: WorkspaceId; baseId: string; librarian: Soloist },
): Promise<Staff["writing"]> {
  const editor = await createAgent(tx, workspaceId, EDITOR, [
    config({
      purpose: "Example: plans a page, has its parts looked up in order, and writes it.",
      instructions:
        "Plan the page on your todo list. Put each part that has to be looked up into your queue of tasks, those that build on others " +
        "behind them. Answer what your agents ask as far as the request says it. Then write the page from what they found, with every citation.",
      ...{ canSpawnAgents: true, autoContinue: true },
    }),
  ]);
  const reporter = await createAgent(tx, workspaceId, REPORTER, [
    config({
      purpose: "Example: looks up how something is done, and asks first where the task can be read in two ways.",
      instructions:
        "Ask one question where the task can be read in two ways. Then search with knowledge_search and report the sentences that answer, " +
        "each followed by its citation exactly as the tool gave it.",
      ...{ knowledge: [baseId], tools: ["user__ask"] },
    }),
  ]);
  const [lead, ...below] = [editor, librarian, reporter].map(({ agentVersionId }) => ({ agentVersionId }));
  if (!lead) throw new Error("The writing desk has no supervisor.");
  const { teamId } = await createPublishedTeam(tx, {
    workspaceId,
    name: "Writing desk",
    description: "Example: writes a page from this documentation, part by part.",
    limits: { example: PAGE_REQUEST },
    root: { ...lead, children: below },
  });
  return { teamId, agentIds: [editor.agentId, reporter.agentId] };
}

const config = (fields: Partial<AgentConfig> & Pick<AgentConfig, "purpose" | "instructions">) =>
  agentConfig.parse(fields);

async function createAgent(
  tx: Prisma.TransactionClient,
  workspaceId: WorkspaceId,
  name: string,
  [first]: [AgentConfig],
): Promise<Soloist> {
  const { agentId, agentVersionId } = await createPublishedAgent(tx, { workspaceId, name, config: first });
  return { agentId, agentVersionId, name };
}

async function addVersions(
  tx: Prisma.TransactionClient,
  workspaceId: WorkspaceId,
  { agentId, agentVersionId }: Soloist,
  rounds: readonly { note: string; instructions: string }[],
): Promise<void> {
  const first = await tx.agentVersion.findUniqueOrThrow({ where: { id: agentVersionId } });
  const before = agentConfig.parse(first.config);
  await tx.agentVersion.createMany({
    data: rounds.map(({ note, instructions }, i) => ({
      ...{ id: uuidv7(), workspaceId, agentId, number: i + 2, draftRevision: i + 2, note },
      config: { ...before, instructions },
    })),
  });
  const draft = { ...before, instructions: rounds.at(-1)?.instructions ?? before.instructions };
  await tx.agent.update({ where: { id: agentId }, data: { draft, draftRevision: rounds.length + 1 } });
}

async function newest(tx: Prisma.TransactionClient, { agentId, name }: Soloist): Promise<Soloist> {
  const { id } = await tx.agentVersion.findFirstOrThrow({
    where: { agentId },
    orderBy: { number: "desc" },
    select: { id: true },
  });
  return { agentId, agentVersionId: id, name };
}
