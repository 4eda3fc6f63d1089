import { v7 as uuidv7 } from "uuid";
import type { Prisma } from "@/prisma/generated/client";
import { provenWorkspace, type WorkspaceId } from "@/server/workspaces/scope";

const WORKSPACE = "My workspace";

/** The oldest workspace, which is made when there is none. */
export async function findOrCreateWorkspace(
  tx: Pick<Prisma.TransactionClient, "workspace">,
): Promise<{ id: WorkspaceId; name: string }> {
  const first = await tx.workspace.findFirst({ orderBy: { createdAt: "asc" }, select: { id: true, name: true } });
  const workspace =
    first ?? (await tx.workspace.create({ data: { id: uuidv7(), name: WORKSPACE }, select: { id: true, name: true } }));
  return { id: provenWorkspace(workspace.id), name: workspace.name };
}
