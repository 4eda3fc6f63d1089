import type { Prisma } from "@/prisma/generated/client";
import { AppError } from "@/server/errors";
import { type SecretValues, sealValues } from "@/server/mcp/server-secrets";
import { OutgoingRefusedError } from "@/server/outgoing/refused";
import { isPrivateTarget, readTarget, type Target } from "@/server/outgoing/targets";
import type { Scope } from "@/server/workspaces/scope";

type Reached = { transport: string; url: string | null; command: string | null; args: string[] };

/** How a server is reached, as columns. */
export function reachColumns({ transport, url, command, args }: Reached) {
  return { transport, url: url || null, command: command || null, args };
}

export function secretColumns(server: { id: string; workspaceId: string }, secrets: SecretValues) {
  return { secretSealed: sealValues(server, secrets), secretNames: Object.keys(secrets) };
}

type AskedReach = { transport: string; url: string; allowPrivateHost: boolean };

/**
 * The host an owner allows with this save; null when none is needed: a public name that were allowed could be turned to a
 * private address later. Throws INVALID for an address nobody could call.
 */
export async function allowedTarget({ transport, url, allowPrivateHost }: AskedReach): Promise<Target | null> {
  if (transport !== "http") return null;
  try {
    const { target } = readTarget(url);
    return allowPrivateHost && (await isPrivateTarget(url)) ? target : null;
  } catch (error) {
    if (error instanceof OutgoingRefusedError) throw new AppError("INVALID", error.message, { cause: error });
    throw error;
  }
}

export async function allowTarget(tx: Prisma.TransactionClient, { workspaceId, userId }: Scope, target: Target | null) {
  if (!target) return;
  const { host, port } = target;
  await tx.allowedHost.createMany({ data: [{ workspaceId, host, port, createdById: userId }], skipDuplicates: true });
}
