import { v7 as uuid } from "uuid";
import type { PrismaClient } from "@/prisma/generated/client";
import { pool } from "@/server/db";
import { type RetrievalSettings, retrievalSettings } from "@/server/knowledge/schema";
import { BUILT_IN_DIMS, builtInEmbedder } from "@/server/retrieval/built-in-embedder";
import type { ChunkDraft } from "@/server/retrieval/embedder";
import { publishRevision, storeChunks } from "@/server/retrieval/store-chunks";
import { indexedText } from "@/server/retrieval/terms";

/** Bases and documents to begin a test with, indexed the way uploads are. */

export async function aBase(
  db: PrismaClient,
  workspaceId: string,
  {
    name = `Base ${uuid().slice(-6)}`,
    conversationId = null,
    settings = {},
    embeddingModel = "built-in",
    dims = BUILT_IN_DIMS,
  }: {
    name?: string;
    conversationId?: string | null;
    settings?: Partial<RetrievalSettings>;
    embeddingModel?: string;
    dims?: number;
  } = {},
): Promise<string> {
  const id = uuid();
  await db.knowledgeBase.create({
    data: { id, workspaceId, name, conversationId, settings: retrievalSettings.parse(settings), embeddingModel, dims },
  });
  return id;
}

/** A document's row with its file, nothing indexed. */
export async function aDocument(
  db: PrismaClient,
  workspaceId: string,
  baseId: string,
  name = `${uuid().slice(-6)}.txt`,
): Promise<string> {
  const [id, fileId] = [uuid(), uuid()];
  const what = { workspaceId, name, mediaType: "text/plain", sizeBytes: 1 };
  const sha256 = id.replaceAll("-", "").repeat(2);
  await db.file.create({ data: { id: fileId, ...what, status: "stored", sha256 } });
  await db.document.create({ data: { id, baseId, fileId, ...what, sha256 } });
  return id;
}

/** Passages as a chunker would cut them. */
export function passagesOf(...texts: string[]): ChunkDraft[] {
  return texts.map((text, position) => ({ position, text, heading: "", page: null, startsAt: position * 100 }));
}

/** Indexes the passages as the document's given revision and makes them live, as an upload ends. */
export async function indexPassages(
  at: { workspaceId: string; baseId: string; documentId: string; revision?: number },
  chunks: readonly ChunkDraft[],
  { isEmbedded = true }: { isEmbedded?: boolean } = {},
): Promise<void> {
  const which = { revision: 1, ...at };
  const signal = AbortSignal.timeout(60_000);
  const embeddings = isEmbedded ? await builtInEmbedder.embed(chunks.map(indexedText), { signal }) : null;
  await storeChunks(pool(), { ...which, generation: 1, chunks, embeddings, dims: BUILT_IN_DIMS });
  await publishRevision(pool(), which);
  await pool().query("UPDATE documents SET status = 'ready' WHERE id = $1", [at.documentId]);
}

/** A document with these passages, found by searches. */
export async function aLiveDocument(
  db: PrismaClient,
  at: { workspaceId: string; baseId: string; name?: string },
  ...texts: string[]
): Promise<string> {
  const documentId = await aDocument(db, at.workspaceId, at.baseId, at.name);
  await indexPassages({ workspaceId: at.workspaceId, baseId: at.baseId, documentId }, passagesOf(...texts));
  return documentId;
}
