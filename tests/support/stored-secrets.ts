import { randomUUID } from "node:crypto";
import type { PrismaClient } from "@/prisma/generated/client";
import { sealValues } from "@/server/mcp/server-secrets";
import { providerKeyPurpose } from "@/server/models/stored-model";
import { sealSecret } from "@/server/secrets/seal";

/** A provider with this key, and a tool server that is sent this header. */
export async function storeSecrets(
  db: PrismaClient,
  workspaceId: string,
  { providerKey, header }: { providerKey: string; header: string },
): Promise<void> {
  const [providerId, serverId] = [randomUUID(), randomUUID()];
  await db.provider.create({
    data: {
      id: providerId,
      workspaceId,
      name: `p-${providerId.slice(0, 8)}`,
      baseUrl: "https://api.example.com/v1",
      apiKeySealed: sealSecret({ workspaceId, purpose: providerKeyPurpose(providerId) }, providerKey),
    },
  });
  await db.toolServer.create({
    data: {
      id: serverId,
      workspaceId,
      name: `s-${serverId.slice(0, 8)}`,
      transport: "http",
      url: "https://tools.example.com",
      secretSealed: sealValues({ id: serverId, workspaceId }, { Authorization: header }),
    },
  });
}
