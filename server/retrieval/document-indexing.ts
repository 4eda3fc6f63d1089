import { setTimeout as wait } from "node:timers/promises";
import { pool } from "@/server/db";
import { readParts } from "@/server/files/read-file";
import { ModelError } from "@/server/models/model";
import { redactionOf } from "@/server/secrets/redaction";
import { inTransaction } from "@/server/transaction";
import type { DocumentReader, ReadDocument } from "./child-reader";
import { type DocumentJob, Superseded, saveProgress, saveReady } from "./document-job";
import type { ChunkDraft, Embedder } from "./embedder";
import { embedderFor } from "./embedders";
import { ExtractionFailure } from "./extraction-failure";
import { publishRevision, storeChunks } from "./store-chunks";
import { indexedText } from "./terms";

const CHUNKS_A_BATCH = 64;
const PROGRESS_EVERY_MS = 250;
const EMBEDDING_ATTEMPTS = 5;
const FIRST_BACK_OFF_MS = 1_000;
const LONGEST_BACK_OFF_MS = 60_000;

type IndexingOptions = {
  reader: Pick<DocumentReader, "read">;
  signal: AbortSignal;
  /** Called at places where a process may end; used by fault tests only. */
  atFaultPoint?: (point: IndexingFaultPoint) => Promise<void>;
};
export type IndexingFaultPoint = "before-read" | "after-read" | "after-store" | "before-publish" | "after-publish";

/**
 * Reads, cuts, embeds, stores and publishes one document (RAG-PIPE-01). Every part may be done again by another worker: reading
 * gives the same passages, stored passages are left out, and publishing is one transaction. Until then the revision before
 * is the one that is searched. Throws Superseded, ExtractionFailure and ModelError.
 */
export async function indexDocument(job: DocumentJob, options: IndexingOptions): Promise<void> {
  await options.atFaultPoint?.("before-read");
  const read = await readDocument(job, options);
  await options.atFaultPoint?.("after-read");
  const stored = await storedPositions(job);
  const missing = read.chunks.filter(({ position }) => !stored.has(position));
  const progress = progressOf(job, read, read.chunks.length - missing.length);
  await progress.save();

  const embedder = await embedderFor(job.workspaceId, job.embeddingModel, job.dims);
  for (let from = 0; from < missing.length; from += CHUNKS_A_BATCH) {
    const chunks = missing.slice(from, from + CHUNKS_A_BATCH);
    const embeddings = await embedPatiently(embedder, chunks, options.signal);
    const { workspaceId, baseId, documentId, revision, generation, dims } = job;
    await storeChunks(pool(), { workspaceId, baseId, documentId, revision, generation, chunks, embeddings, dims });
    await options.atFaultPoint?.("after-store");
    await progress.add(chunks.length);
    options.signal.throwIfAborted();
  }
  await options.atFaultPoint?.("before-publish");
  await inTransaction(async (client) => {
    if (!(await publishRevision(client, job))) throw new Superseded();
    await saveReady(client, job);
  });
  await options.atFaultPoint?.("after-publish");
}

async function readDocument({ workspaceId, baseId, fileId, mediaType }: DocumentJob, { reader }: IndexingOptions) {
  let bytes = 0;
  const read = reader.read(mediaType, async function* () {
    for await (const part of readParts(workspaceId, fileId)) {
      bytes += part.byteLength;
      yield part;
    }
  });
  return read
    .then((found) => withoutPersonal(found, { workspaceId, baseId }))
    .catch((error: unknown) => {
      // Deleted or replaced while it was being read: what is left of it says nothing.
      if (bytes === 0 && error instanceof ExtractionFailure) throw new ExtractionFailure("gone", { cause: error });
      throw error;
    });
}

/** What people attach to a conversation is a part of what they say there. Documents of a knowledge base are kept as they are, and cleaned when found. */
async function withoutPersonal(
  found: ReadDocument,
  { workspaceId, baseId }: Pick<DocumentJob, "workspaceId" | "baseId">,
): Promise<ReadDocument> {
  const { rows } = await pool().query(
    "SELECT 1 FROM knowledge_bases WHERE workspace_id = $1 AND id = $2 AND conversation_id IS NOT NULL",
    [workspaceId, baseId],
  );
  if (rows.length === 0) return found;
  const redact = await redactionOf(workspaceId);
  return {
    ...found,
    chunks: found.chunks.map((chunk) => ({ ...chunk, text: redact(chunk.text), heading: redact(chunk.heading) })),
  };
}

/** Passages of this revision that an earlier attempt stored, with their vectors. */
async function storedPositions({ documentId, revision, generation }: DocumentJob): Promise<Set<number>> {
  const { rows } = await pool().query<{ position: number }>(
    `SELECT c.position FROM chunks c JOIN chunk_embeddings e ON e.chunk_id = c.id AND e.generation = $3
     WHERE c.document_id = $1 AND c.revision = $2`,
    [documentId, revision, generation],
  );
  return new Set(rows.map(({ position }) => position));
}

/** Says how far it is, but not more often than anybody can see. */
function progressOf(job: DocumentJob, { chunks, pages, characters }: ReadDocument, before: number) {
  let done = before;
  let savedAt = Number.NEGATIVE_INFINITY;
  const save = async () => {
    savedAt = performance.now();
    const progress = {
      status: "indexing",
      progressDone: done,
      progressTotal: chunks.length,
      pages,
      characters,
    } as const;
    await saveProgress(pool(), job, progress);
  };
  return {
    save,
    async add(count: number) {
      done += count;
      if (done === chunks.length || performance.now() - savedAt >= PROGRESS_EVERY_MS) await save();
    },
  };
}

async function embedPatiently(
  embedder: Embedder,
  chunks: readonly ChunkDraft[],
  signal: AbortSignal,
): Promise<number[][]> {
  const texts = chunks.map(indexedText);
  for (let attempt = 1; ; attempt++) {
    try {
      return await embedder.embed(texts, { signal });
    } catch (error) {
      if (!(error instanceof ModelError) || !error.retryable || attempt === EMBEDDING_ATTEMPTS) throw error;
      const backOffMs = FIRST_BACK_OFF_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
      await wait(Math.min(Math.max(backOffMs, error.retryAfterMs ?? 0), LONGEST_BACK_OFF_MS), undefined, { signal });
    }
  }
}
