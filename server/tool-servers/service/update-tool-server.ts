import { db } from "@/server/db";
import { AppError } from "@/server/errors";
import { openValues, type SecretValues } from "@/server/mcp/server-secrets";
import { forgetUnusedHost } from "@/server/outgoing/allowed-hosts";
import type { Scope } from "@/server/workspaces/scope";
import { getToolServer } from "../queries";
import { keepsItsSecrets } from "../rules";
import type { ToolServerView, UpdateToolServerInput } from "../schema";
import { allowedTarget, allowTarget, reachColumns, secretColumns } from "./columns";

type UpdateToolServer = { scope: Scope; input: UpdateToolServerInput };

/**
 * Changes a tool server; nothing connects or starts. A secret sent without a value keeps the stored one, unless the
 * server would then send it somewhere new. A private host is allowed no longer when neither this nor another one of the
 * workspace's asks for it. Once reached in another way it counts as not tested; its tools stay listed.
 * Throws NOT_FOUND; INVALID for a secret that must be entered; NOT_READY as createToolServer does.
 */
export async function updateToolServer({ scope, input }: UpdateToolServer): Promise<ToolServerView> {
  const { workspaceId } = scope;
  const where = { workspaceId_id: { workspaceId, id: input.toolServerId } };
  const target = await allowedTarget(input);
  const before = await db().$transaction(async (tx) => {
    const found = await tx.toolServer.findUnique({ where });
    if (!found) throw new AppError("NOT_FOUND", "There is no such tool server.");
    const kept = input.secrets.filter(({ value }) => value === null).map(({ name }) => name);
    if (kept.length > 0 && !keepsItsSecrets(found, input)) {
      throw new AppError(
        "INVALID",
        `The server is reached in another way now. Enter ${kept.join(", ")} again, so that nothing stored goes to the wrong place.`,
      );
    }
    const areSecretsKept = kept.length === input.secrets.length && kept.length === listOf(found.secretNames).length;
    // Only what is kept needs the key: secrets that no longer open can still be entered anew.
    const secrets = mergedSecrets(input.secrets, kept.length > 0 ? openValues(found) : {});
    const reach = reachColumns(input);
    const isReachedAsBefore =
      areSecretsKept && JSON.stringify(reach) === JSON.stringify(reachColumns({ ...found, args: listOf(found.args) }));
    await tx.toolServer.update({
      where,
      data: {
        ...reach,
        // Sealing anew would look like a change to whoever holds a connection.
        ...(areSecretsKept ? {} : secretColumns(found, secrets)),
        ...(isReachedAsBefore ? {} : { checkedAt: null, checkError: null }),
        enabled: input.enabled,
      },
    });
    await allowTarget(tx, scope, target);
    return found.url;
  });
  if (before) await forgetUnusedHost(workspaceId, before, target ? null : input.toolServerId);
  return getToolServer(workspaceId, input.toolServerId);
}

function mergedSecrets(given: UpdateToolServerInput["secrets"], stored: SecretValues): SecretValues {
  return Object.fromEntries(
    given.map(({ name, value }) => {
      const secret = value ?? stored[name];
      if (secret === undefined) throw new AppError("INVALID", `${name} has no stored value. Enter one.`);
      return [name, secret];
    }),
  );
}

function listOf(json: unknown): string[] {
  return Array.isArray(json) ? json.filter((item) => typeof item === "string") : [];
}
