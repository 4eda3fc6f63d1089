import type { Prisma, ToolServer } from "@/prisma/generated/client";
import { db } from "@/server/db";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { toolsOf } from "../rules";

type ChangeTool = {
  workspaceId: WorkspaceId;
  toolServerId: string;
  /** As the server calls it. */
  tool: string;
  change(found: ToolServer): Prisma.ToolServerUpdateInput;
};

/** Changes what is said of one tool, after whoever says something of another one. Throws NOT_FOUND for a tool the server does not list. */
export async function changeTool({ workspaceId, toolServerId: id, tool, change }: ChangeTool): Promise<void> {
  const where = { workspaceId_id: { workspaceId, id } };
  await db().$transaction(async (tx) => {
    // Two owners at once: the second waits here, and then adds to the first one's word.
    await tx.$queryRaw`SELECT id FROM tool_servers WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`;
    const found = await tx.toolServer.findUnique({ where });
    if (!found) throw new AppError("NOT_FOUND", "There is no such tool server.");
    if (!toolsOf({ ...found, check_error: null }).some(({ name }) => name === tool)) {
      throw new AppError("NOT_FOUND", `${found.name} offers no tool called “${tool}”.`);
    }
    await tx.toolServer.update({ where, data: change(found) });
  });
}
