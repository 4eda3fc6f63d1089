import { v7 as uuidv7 } from "uuid";
import type { Prisma } from "@/prisma/generated/client";
import { agentConfig } from "@/server/agents/schema";
import { createPublishedAgent } from "@/server/agents/service";
import { db } from "@/server/db";
import { createPublishedTeam } from "@/server/teams/service";
import { provenWorkspace, type WorkspaceId } from "@/server/workspaces/scope";

const TEAM = "Research desk";
const WORKSPACE = "My workspace";

const EXAMPLE =
  "What happens to a run when the machine loses power or the process is killed, and what is repeated afterwards?";

const AGENTS = {
  supervisor: {
    name: "Supervisor",
    config: agentConfig.parse({
      purpose: "Leads the research desk and answers for the result.",
      instructions: [
        "You lead a small research desk that answers questions about this product from its own documentation.",
        "1. Give the searcher and the fact-checker their parts at the same time. Quote the person's request word for word.",
        "2. Collect both.",
        "3. Ask the person one question that would change the answer, with two or three options; how detailed it should be is a good one.",
        "4. Give the writer everything that was found, with its citations, and the person's answer.",
        "5. Answer with the writer's text. Every statement keeps its citation; what the documentation does not say, you do not say.",
      ].join("\n"),
      canSpawnAgents: true,
      tools: ["user__ask"],
    }),
  },
  searcher: {
    name: "Searcher",
    config: agentConfig.parse({
      purpose: "Finds the passages of the documentation that answer a question, and quotes them with citations.",
      instructions:
        "Search the documentation with docs__search, once or twice with different words. " +
        "Report the sentences that answer the request, one a line, each followed by its citation exactly as the tool gave it. Add nothing of your own.",
      tools: ["docs__search"],
    }),
  },
  factChecker: {
    name: "Fact-checker",
    config: agentConfig.parse({
      purpose: "Checks what the documentation really supports, and says which passage supports which claim.",
      instructions:
        "Verify what can be claimed about the request. Search with docs__search, list the claims, and for each name the passage that " +
        "supports it by its citation exactly as the tool gave it, or say that none does.",
      tools: ["docs__search"],
    }),
  },
  writer: {
    name: "Writer",
    config: agentConfig.parse({
      purpose: "Writes the final answer from findings it is given.",
      instructions:
        "Write a clear answer from the findings in the request and from nothing else. Keep each citation after the sentence it supports, " +
        "exactly as it is written. Be as short or as detailed as the reader asked.",
      tools: [],
    }),
  },
};

/** The demo team in the first workspace, which is made when there is none. Says in a sentence what it made. */
export async function demo(): Promise<string> {
  return db().$transaction(
    async (tx) => {
      const workspace = await findOrCreateWorkspace(tx);
      const existing = await tx.team.findUnique({
        where: { workspaceId_name: { workspaceId: workspace.id, name: TEAM } },
        select: { id: true },
      });
      const where = `in the workspace “${workspace.name}”. Open the start page and give it a task.`;
      if (existing) return `The team “${TEAM}” is already ${where}`;
      await createResearchDesk(tx, workspace.id);
      return `Made the team “${TEAM}” with ${Object.keys(AGENTS).length} agents ${where}`;
    },
    { maxWait: 10_000, timeout: 30_000 },
  );
}

async function findOrCreateWorkspace(tx: Prisma.TransactionClient): Promise<{ id: WorkspaceId; name: string }> {
  const first = await tx.workspace.findFirst({ orderBy: { createdAt: "asc" }, select: { id: true, name: true } });
  const workspace =
    first ?? (await tx.workspace.create({ data: { id: uuidv7(), name: WORKSPACE }, select: { id: true, name: true } }));
  return { id: provenWorkspace(workspace.id), name: workspace.name };
}

async function createResearchDesk(tx: Prisma.TransactionClient, workspaceId: WorkspaceId): Promise<void> {
  const place = async (agent: (typeof AGENTS)[keyof typeof AGENTS]) => ({
    agentVersionId: await findOrCreateAgent(tx, workspaceId, agent),
  });
  const root = await place(AGENTS.supervisor);
  const children = [await place(AGENTS.searcher), await place(AGENTS.factChecker), await place(AGENTS.writer)];
  await createPublishedTeam(tx, {
    workspaceId,
    name: TEAM,
    description: "Answers questions about this product from its own documentation, with citations.",
    limits: { example: EXAMPLE },
    root: { ...root, children },
  });
}

/** An agent of that name that somebody has already published is used as it is. */
async function findOrCreateAgent(
  tx: Prisma.TransactionClient,
  workspaceId: WorkspaceId,
  { name, config }: (typeof AGENTS)[keyof typeof AGENTS],
): Promise<string> {
  const published = await tx.agentVersion.findFirst({
    where: { workspaceId, agent: { name } },
    orderBy: { number: "desc" },
    select: { id: true },
  });
  return published?.id ?? (await createPublishedAgent(tx, { workspaceId, name, config })).agentVersionId;
}
