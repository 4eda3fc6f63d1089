import { v7 as uuidv7 } from "uuid";
import { Prisma } from "@/prisma/generated/client";
import { db } from "@/server/db";
import { AppError } from "@/server/errors";
import type { Scope } from "@/server/workspaces/scope";
import { getToolServer } from "../queries";
import type { CreateToolServerInput, ToolServerView } from "../schema";
import { allowedTarget, allowTarget, reachColumns, secretColumns } from "./columns";

type CreateToolServer = { scope: Scope; input: CreateToolServerInput };

/**
 * Stores a tool server. Nothing connects and nothing starts: the connection test does that, when an owner asks for it.
 * Throws CONFLICT for a name in use; INVALID for an address that cannot be called; NOT_READY when there is no key to
 * seal its secrets with.
 */
export async function createToolServer({ scope, input }: CreateToolServer): Promise<ToolServerView> {
  const { workspaceId, userId } = scope;
  const server = { id: uuidv7(), workspaceId };
  const secrets = Object.fromEntries(input.secrets.map(({ name, value }) => [name, value ?? ""]));
  const columns = { ...reachColumns(input), ...secretColumns(server, secrets) };
  const target = await allowedTarget(input);
  await db()
    .$transaction(async (tx) => {
      await tx.toolServer.create({ data: { ...server, name: input.name, createdById: userId, ...columns } });
      await allowTarget(tx, scope, target);
    })
    .catch((error: unknown) => {
      if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== "P2002") throw error;
      throw new AppError("CONFLICT", `There is already a tool server called “${input.name}”.`, { cause: error });
    });
  return getToolServer(workspaceId, server.id);
}
