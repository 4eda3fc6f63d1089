import { v7 as uuidv7 } from "uuid";
import type { Prisma } from "@/prisma/generated/client";
import { ENGINE_TOOLS } from "@/server/engine/tools/engine-tools";
import { AppError } from "@/server/errors";
import { TOOLS } from "@/server/tools/catalog";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { type AgentConfig, agentConfig } from "./schema";

type CreateAgent = { workspaceId: WorkspaceId; name: string; config: AgentConfig };
type AgentVersionRef = { agentId: string; agentVersionId: string; number: number };

/** Creates an agent and publishes its draft as version 1. Throws CONFLICT for a name in use, INVALID for an unknown tool. */
export async function createPublishedAgent(
  tx: Prisma.TransactionClient,
  { workspaceId, name, config }: CreateAgent,
): Promise<AgentVersionRef> {
  const taken = await tx.agent.findUnique({ where: { workspaceId_name: { workspaceId, name } }, select: { id: true } });
  if (taken) throw new AppError("CONFLICT", `There is already an agent called “${name}”.`);
  const draft = agentConfig.parse(config);
  const agent = await tx.agent.create({ data: { id: uuidv7(), workspaceId, name, draft }, select: { id: true } });
  return publishAgent(tx, { workspaceId, agentId: agent.id });
}

/**
 * Publishes the draft as the next version, which never changes again.
 * Throws NOT_FOUND, and INVALID when the draft names a tool that does not exist: a run would only fail later.
 */
async function publishAgent(
  tx: Prisma.TransactionClient,
  { workspaceId, agentId }: { workspaceId: WorkspaceId; agentId: string },
): Promise<AgentVersionRef> {
  const agent = await tx.agent.findUnique({
    where: { workspaceId_id: { workspaceId, id: agentId } },
    select: { draft: true, versions: { select: { number: true }, orderBy: { number: "desc" }, take: 1 } },
  });
  if (!agent) throw new AppError("NOT_FOUND", "This agent no longer exists.");
  const config = agentConfig.parse(agent.draft);
  const unknown = config.tools.find((tool) => !TOOLS.has(tool) && !ENGINE_TOOLS.has(tool));
  if (unknown) throw new AppError("INVALID", `There is no tool “${unknown}”. Take it out of the agent's tools.`);

  const number = (agent.versions[0]?.number ?? 0) + 1;
  const version = await tx.agentVersion.create({
    data: { id: uuidv7(), workspaceId, agentId, number, config },
    select: { id: true },
  });
  return { agentId, agentVersionId: version.id, number };
}
