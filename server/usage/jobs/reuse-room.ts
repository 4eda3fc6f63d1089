import { pool } from "@/server/db";
import { logger } from "@/server/logger";

/** Where a cleanup removes most rows from, and what the passages of attachments hang on. */
const TABLES = [
  ...[
    "events",
    "messages",
    "reasonings",
    "retrievals",
    "steps",
    "decisions",
    "decision_vectors",
    "run_vectors",
    "decision_labels",
    "feedback",
    "usages",
    "agent_runs",
    "runs",
    "blobs",
  ],
  ...["webhook_deliveries", "file_parts", "chunks", "postings", "chunk_embeddings"],
];

/**
 * Makes the room of removed rows usable for new ones. A Postgres server does so by itself, too; the embedded database has nobody
 * who would. Never throws: without it everything works, only larger.
 */
export async function reuseRoom(signal: AbortSignal): Promise<void> {
  try {
    for (const table of TABLES) {
      if (signal.aborted) return;
      await pool().query(`VACUUM ${table}`);
    }
  } catch (error) {
    logger.warn({ err: error }, "the room of removed rows could not be made usable again");
  }
}
