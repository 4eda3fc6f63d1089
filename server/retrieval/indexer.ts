import { isPassing } from "@/server/database-failure";
import { pool } from "@/server/db";
import type { WorkHub } from "@/server/engine/hub";
import { sweepUploads } from "@/server/files/store-file";
import { logger } from "@/server/logger";
import { lookNowAndThen } from "@/server/look-now-and-then";
import { ModelError } from "@/server/models/model";
import { type DocumentReader, startDocumentReader } from "./child-reader";
import { type IndexingFaultPoint, indexDocument } from "./document-indexing";
import {
  claimDocuments,
  type DocumentJob,
  failHopeless,
  releaseDocuments,
  Superseded,
  saveFailed,
} from "./document-job";
import { ExtractionFailure } from "./extraction-failure";

const AT_ONCE = 2;
/** Safety net for a hint that was lost, and for documents of workers that are gone. */
const LOOK_EVERY_MS = 2_000;
const SWEEP_EVERY_MS = 60_000;
const SILENT_UPLOAD_MS = 10 * 60_000;

export type IndexerOptions = {
  /** Must be the id under which this process's heartbeat is kept: others take over what belongs to nobody alive. */
  workerId: string;
  hub: Pick<WorkHub, "on">;
  reader?: DocumentReader;
  silentUploadMs?: number;
  atFaultPoint?: (point: IndexingFaultPoint) => Promise<void>;
};

/** Indexes documents in the background until it is closed, and sweeps away uploads whose sender went. */
export function startIndexer(options: IndexerOptions): { close(): Promise<void> } {
  const { workerId, hub, atFaultPoint, silentUploadMs = SILENT_UPLOAD_MS } = options;
  const reader = options.reader ?? startDocumentReader();
  const running = new Map<string, Promise<void>>();
  const failed = "documents could not be claimed; it is tried again";
  const looks = lookNowAndThen({ everyMs: LOOK_EVERY_MS, failed }, async (signal) => {
    const most = AT_ONCE - running.size;
    if (most <= 0) return;
    for (const job of await claimDocuments(pool(), { workerId, most, running: [...running.keys()] })) {
      const carried = carryOut(job, { reader, signal, ...(atFaultPoint ? { atFaultPoint } : {}) });
      running.set(job.documentId, carried);
      void carried.finally(() => {
        running.delete(job.documentId);
        looks.wake();
      });
    }
  });

  const sweep = async () => {
    try {
      const swept = await sweepUploads(silentUploadMs);
      if (swept > 0) logger.info({ swept }, "removed uploads that were never finished");
      await failHopeless(pool());
    } catch (error) {
      logger.warn({ err: error }, "the sweep of unfinished uploads failed; it is tried again");
    }
  };

  hub.on("document", looks.wake);
  const sweeps = setInterval(() => void sweep(), Math.min(SWEEP_EVERY_MS, silentUploadMs));
  void sweep();

  return {
    async close() {
      const closed = looks.close();
      clearInterval(sweeps);
      reader.close();
      await closed;
      await Promise.all(running.values());
      await releaseDocuments(pool(), workerId).catch(() => {});
    },
  };
}

type CarryOut = Parameters<typeof indexDocument>[1];

/** Never throws: whatever happens to a document is said on its row. */
async function carryOut(job: DocumentJob, options: CarryOut): Promise<void> {
  const { documentId } = job;
  try {
    await indexDocument(job, options);
  } catch (error) {
    // Left as it is: its new owner, or this worker after the next look, goes on from the rows.
    if (error instanceof Superseded || options.signal.aborted) return;
    if (isPassing(error))
      return void logger.warn({ err: error, documentId }, "indexing is interrupted; it goes on soon");
    const [code, sentence] = toReason(error);
    logger.info({ err: error, documentId, code }, "a document could not be indexed");
    await saveFailed(pool(), job, code, sentence).catch((failed: unknown) => {
      logger.warn({ err: failed, documentId }, "its failure could not be saved; it is tried again");
    });
  }
}

function toReason(error: unknown): [code: string, sentence: string] {
  if (error instanceof ExtractionFailure) return [error.code, error.message];
  if (error instanceof ModelError) return ["embedding", error.message];
  return ["internal", "Something went wrong on the server. Its log says what. Try again."];
}
