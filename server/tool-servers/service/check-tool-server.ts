import type { Prisma } from "@/prisma/generated/client";
import { countEndpointTest } from "@/server/auth/rate-limits";
import { db, pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { connectToolServer } from "@/server/mcp/connect";
import { type ConnectCode, ToolServerConnectError } from "@/server/mcp/connect-error";
import { type ListedTool, listServerTools } from "@/server/mcp/list-tools";
import { findToolServer, type StoredToolServer } from "@/server/mcp/stored-server";
import type { Scope } from "@/server/workspaces/scope";
import { getToolServer } from "../queries";
import type { ToolServerCheck } from "../schema";

const CHECK_WITHIN_MS = 90_000;

type CheckToolServer = { scope: Scope; input: { toolServerId: string }; signal?: AbortSignal | undefined };

/**
 * Connects to the server, or starts its program, for as long as it takes to list its tools, and stores what it found:
 * the tools, or why there are none. The tools found before stay when it fails.
 * Throws NOT_FOUND; CONFLICT when the server was changed meanwhile; TOO_MANY_REQUESTS.
 */
export async function checkToolServer({ scope, input, signal }: CheckToolServer): Promise<ToolServerCheck> {
  const { workspaceId, userId } = scope;
  await countEndpointTest(userId);
  const server = await findToolServer(pool(), workspaceId, input.toolServerId);
  if (!server) throw new AppError("NOT_FOUND", "There is no such tool server.");
  const late = AbortSignal.timeout(CHECK_WITHIN_MS);
  const found = await look(server, signal ? AbortSignal.any([signal, late]) : late);
  const { count } = await db().toolServer.updateMany({
    where: { workspaceId, id: server.id, updatedAt: server.updatedAt },
    data: {
      ...(found.tools ? { tools: found.tools as Prisma.InputJsonArray } : {}),
      checkedAt: new Date(),
      checkError: found.code === "ok" ? null : found.problem,
    },
  });
  if (count === 0) throw new AppError("CONFLICT", `${server.name} was changed during the test. Test it again.`);
  const { code, problem } = found;
  return { ok: code === "ok", code, problem, server: await getToolServer(workspaceId, server.id) };
}

type Found = { code: "ok" | ConnectCode; problem: string | null; tools?: ListedTool[] };

async function look(server: StoredToolServer, signal: AbortSignal): Promise<Found> {
  try {
    const connection = await connectToolServer(server, { signal });
    try {
      const { tools, leftOut } = await listServerTools(connection, signal);
      return { code: "ok", problem: leftOut ? leftOutSentence(leftOut) : null, tools };
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (error instanceof ToolServerConnectError) return { code: error.code, problem: error.message };
    if (signal.aborted) return { code: "unreachable", problem: "The test took too long, or was stopped." };
    throw error;
  }
}

function leftOutSentence(count: number): string {
  const tools = count === 1 ? "One tool was" : `${count} tools were`;
  return `${tools} left out: too large, too many, or not described as MCP asks.`;
}
