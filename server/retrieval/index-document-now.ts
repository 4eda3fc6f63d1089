import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { pool } from "@/server/db";
import type { DocumentReader } from "./child-reader";
import { chunkText } from "./chunk-text";
import { indexDocument } from "./document-indexing";
import { claimDocuments, Superseded, saveFailed } from "./document-job";
import { extract } from "./extract";

const LOOK_EVERY_MS = 100;

/** Reads in this process: for files of ours only. */
const readHere: Pick<DocumentReader, "read"> = {
  async read(mediaType, parts) {
    const bytes: Uint8Array[] = [];
    for await (const part of parts()) bytes.push(part);
    const extracted = await extract(Buffer.concat(bytes), mediaType);
    const chunks = [...chunkText(extracted)];
    return { chunks, characters: extracted.text.length, pages: extracted.pageStarts?.length ?? null };
  },
};

/**
 * Indexes a document before it returns, for seeds. A worker that has taken it already is waited for. Throws what was wrong
 * with it, after saving that on its row.
 */
export async function indexDocumentNow(documentId: string): Promise<void> {
  const signal = new AbortController().signal;
  for (;;) {
    const workerId = `now-${randomUUID()}`;
    const [job] = await claimDocuments(pool(), { workerId, most: 1, running: [], only: documentId });
    if (job) {
      try {
        return await indexDocument(job, { reader: readHere, signal });
      } catch (error) {
        // A worker knows no such colleague and took it over; it does the same.
        if (!(error instanceof Superseded)) {
          const sentence = error instanceof Error ? error.message : String(error);
          await saveFailed(pool(), job, "internal", sentence);
          throw error;
        }
      }
    }
    const { rows } = await pool().query<{ status: string; reason: string | null }>(
      "SELECT status, status_reason AS reason FROM documents WHERE id = $1",
      [documentId],
    );
    if (!rows[0] || rows[0].status === "ready") return;
    if (rows[0].status === "failed") throw new Error(rows[0].reason ?? "The document could not be indexed.");
    await wait(LOOK_EVERY_MS);
  }
}
