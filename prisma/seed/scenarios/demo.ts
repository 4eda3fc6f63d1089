import type { Prisma } from "@/prisma/generated/client";
import { agentConfig } from "@/server/agents/schema";
import { createPublishedAgent } from "@/server/agents/service";
import { db } from "@/server/db";
import { indexDocumentNow } from "@/server/retrieval/index-document-now";
import { createPublishedTeam } from "@/server/teams/service";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { findOrCreateDocumentation } from "./demo-documentation";
import { createExamples } from "./demo-examples";
import { findOrCreateWorkspace } from "./first-workspace";

const TEAM = "Research desk";

const EXAMPLE =
  "What happens to a run when the machine loses power or the process is killed, and what is repeated afterwards?";

const AGENTS = {
  supervisor: {
    name: "Supervisor",
    searches: false,
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
        "Search the documentation with knowledge_search, once or twice with different words. " +
        "Report the sentences that answer the request, one a line, each followed by its citation exactly as the tool gave it. Add nothing of your own.",
    }),
    searches: true,
  },
  factChecker: {
    name: "Fact-checker",
    config: agentConfig.parse({
      purpose: "Checks what the documentation really supports, and says which passage supports which claim.",
      instructions:
        "Verify what can be claimed about the request. Search with knowledge_search, list the claims, and for each name the passage that " +
        "supports it by its citation exactly as the tool gave it, or say that none does.",
    }),
    searches: true,
  },
  writer: {
    name: "Writer",
    searches: false,
    config: agentConfig.parse({
      purpose: "Writes the final answer from findings it is given.",
      instructions:
        "Write a clear answer from the findings in the request and from nothing else. Keep each citation after the sentence it supports, " +
        "exactly as it is written. Be as short or as detailed as the reader asked.",
    }),
  },
};

/**
 * The demo team in the first workspace, which is made when there is none, and the knowledge base it searches: this
 * product's documentation. Says in a sentence what it made.
 */
export async function demo(): Promise<string> {
  const { sentence, documentIds, made } = await storeDemo();
  // Outside the transaction: should this be cut off, a worker indexes what is left.
  for (const documentId of documentIds) await indexDocumentNow(documentId);
  if (made) await createExamples(made);
  return sentence;
}

type Demo = {
  sentence: string;
  documentIds: string[];
  /** Null when the team was there before. */
  made: { workspaceId: WorkspaceId; teamId: string; baseId: string } | null;
};

function storeDemo(): Promise<Demo> {
  return db().$transaction(
    async (tx) => {
      const workspace = await findOrCreateWorkspace(tx);
      const existing = await tx.team.findFirst({
        where: { workspaceId: workspace.id, name: TEAM, archivedAt: null },
        select: { id: true },
      });
      const where = `in the workspace “${workspace.name}”. Open the start page and give it a task.`;
      if (existing) return { sentence: `The team “${TEAM}” is already ${where}`, documentIds: [], made: null };
      const { baseId, documentIds } = await findOrCreateDocumentation(tx, workspace.id);
      const { teamId } = await createResearchDesk(tx, workspace.id, baseId);
      const agents = Object.keys(AGENTS).length;
      return {
        sentence: `Made the team “${TEAM}” with ${agents} agents ${where}`,
        documentIds,
        made: { workspaceId: workspace.id, teamId, baseId },
      };
    },
    { maxWait: 10_000, timeout: 30_000 },
  );
}

async function createResearchDesk(
  tx: Prisma.TransactionClient,
  workspaceId: WorkspaceId,
  baseId: string,
): Promise<{ teamId: string }> {
  const place = async (agent: (typeof AGENTS)[keyof typeof AGENTS]) => ({
    agentVersionId: await findOrCreateAgent(tx, workspaceId, agent, baseId),
  });
  const root = await place(AGENTS.supervisor);
  const children = [await place(AGENTS.searcher), await place(AGENTS.factChecker), await place(AGENTS.writer)];
  return createPublishedTeam(tx, {
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
  { name, config, searches }: (typeof AGENTS)[keyof typeof AGENTS],
  baseId: string,
): Promise<string> {
  const withKnowledge = searches ? { ...config, knowledge: [baseId] } : config;
  const published = await tx.agentVersion.findFirst({
    where: { workspaceId, agent: { name, archivedAt: null } },
    orderBy: { number: "desc" },
    select: { id: true },
  });
  return published?.id ?? (await createPublishedAgent(tx, { workspaceId, name, config: withKnowledge })).agentVersionId;
}
