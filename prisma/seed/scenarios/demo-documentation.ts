import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { v7 as uuidv7 } from "uuid";
import type { Prisma } from "@/prisma/generated/client";
import { retrievalSettings } from "@/server/knowledge/schema";
import { BUILT_IN_DIMS } from "@/server/retrieval/built-in-embedder";
import type { WorkspaceId } from "@/server/workspaces/scope";

const BASE = "Troupe documentation";
const DOCS = fileURLToPath(new URL("../../../docs", import.meta.url));
const MEDIA_TYPE = "text/markdown";

/** The product's own pages as a knowledge base. Their documents are queued; the caller has them indexed after the commit. */
export async function findOrCreateDocumentation(
  tx: Prisma.TransactionClient,
  workspaceId: WorkspaceId,
): Promise<{ baseId: string; documentIds: string[] }> {
  const existing = await tx.knowledgeBase.findFirst({
    where: { workspaceId, name: BASE, conversationId: null },
    select: { id: true },
  });
  if (existing) return { baseId: existing.id, documentIds: [] };
  const baseId = uuidv7();
  await tx.knowledgeBase.create({
    data: {
      id: baseId,
      workspaceId,
      name: BASE,
      description: "What this product does and how to run it, page by page.",
      dims: BUILT_IN_DIMS,
      settings: retrievalSettings.parse({}),
    },
  });
  const documentIds: string[] = [];
  for (const name of pages()) documentIds.push(await storePage(tx, { workspaceId, baseId, name }));
  return { baseId, documentIds };
}

/** Decision records explain the code, not the product: left out with every folder. */
function pages(): string[] {
  return readdirSync(DOCS)
    .filter((name) => name.endsWith(".md"))
    .sort();
}

type Page = { workspaceId: WorkspaceId; baseId: string; name: string };

async function storePage(tx: Prisma.TransactionClient, { workspaceId, baseId, name }: Page): Promise<string> {
  const content = readFileSync(join(DOCS, name));
  const [fileId, id] = [uuidv7(), uuidv7()];
  const sha256 = createHash("sha256").update(content).digest("hex");
  const described = { workspaceId, name, mediaType: MEDIA_TYPE, sizeBytes: content.byteLength, sha256 };
  await tx.file.create({ data: { id: fileId, ...described, status: "stored" } });
  await tx.filePart.create({ data: { fileId, part: 0, workspaceId, content: new Uint8Array(content) } });
  await tx.document.create({ data: { id, baseId, fileId, ...described } });
  return id;
}
