import { db } from "@/server/db";
import { forgetUnusedHost } from "@/server/outgoing/allowed-hosts";
import type { Scope } from "@/server/workspaces/scope";
import { getToolServer } from "../queries";
import type { RemovedToolServer } from "../schema";

type RemoveToolServer = { scope: Scope; input: { toolServerId: string } };

/**
 * Removes a tool server with its secrets and what only it was allowed. Agents that name its tools no longer start (promise 9); the answer says which.
 * Throws NOT_FOUND.
 */
export async function removeToolServer({ scope, input }: RemoveToolServer): Promise<RemovedToolServer> {
  const { id, name, url, usedBy } = await getToolServer(scope.workspaceId, input.toolServerId);
  await db().toolServer.deleteMany({ where: { workspaceId: scope.workspaceId, id } });
  if (url) await forgetUnusedHost(scope.workspaceId, url);
  return { id, name, usedBy };
}
