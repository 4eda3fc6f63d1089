import type pg from "pg";
import type { MediaType } from "@/server/files/media-type";

/** A document that this worker indexes. Whoever holds its newest epoch may write; nobody else changes anything. */
export type DocumentJob = {
  documentId: string;
  workspaceId: string;
  baseId: string;
  fileId: string;
  mediaType: MediaType;
  revision: number;
  epoch: number;
  workerId: string;
  embeddingModel: string;
  dims: number;
  generation: number;
};

/** The document was deleted, uploaded anew or taken over: what this worker still holds of it is void. */
export class Superseded extends Error {}

/** A document that outlived this many executions probably ends its workers: it is set aside, not taken over again. */
const MOST_EXECUTIONS = 50;

/**
 * Claims documents that wait, or whose worker is gone, oldest first. Nobody claims what another is just claiming.
 * `running` are those this worker is at already; `only` asks for one document whatever its place in the queue.
 */
export async function claimDocuments(
  pool: pg.Pool,
  { workerId, most, running, only }: { workerId: string; most: number; running: readonly string[]; only?: string },
): Promise<DocumentJob[]> {
  const { rows } = await pool.query<DocumentJob>({
    name: "claim_documents",
    text: `WITH next AS (
        SELECT id, status FROM documents d
        WHERE status IN ('queued', 'extracting', 'indexing') AND id <> ALL ($3::uuid[]) AND ($4::uuid IS NULL OR id = $4)
          AND (worker_id IS NULL OR worker_id = $1 OR NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = d.worker_id))
          AND (status = 'queued' OR epoch < $5 OR worker_id = $1)
        ORDER BY created_at, id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
      ), claimed AS (
        UPDATE documents d SET worker_id = $1, epoch = epoch + 1,
          status = CASE next.status WHEN 'queued' THEN 'extracting' ELSE next.status END
        FROM next WHERE d.id = next.id RETURNING d.*
      ), told AS (SELECT tell_changed(workspace_id, 'documents', base_id) FROM claimed)
      SELECT d.id AS "documentId", d.workspace_id AS "workspaceId", d.base_id AS "baseId", d.file_id AS "fileId",
        d.media_type AS "mediaType", d.revision, d.epoch, d.worker_id AS "workerId",
        b.embedding_model AS "embeddingModel", b.dims, b.generation
      FROM claimed d JOIN knowledge_bases b ON b.id = d.base_id, (SELECT count(*) FROM told) AS t`,
    values: [workerId, most, running, only ?? null, MOST_EXECUTIONS],
  });
  return rows;
}

/** Documents that end every worker that reads them. */
export async function failHopeless(pool: pg.Pool): Promise<void> {
  await pool.query(
    `WITH failed AS (
       UPDATE documents SET status = 'failed', worker_id = NULL,
         status_reason = 'gave_up: Reading this document failed again and again. Save it in a simpler form and upload it again.'
       WHERE status IN ('extracting', 'indexing') AND epoch >= $1
         AND NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = documents.worker_id)
       RETURNING workspace_id, base_id)
     SELECT tell_changed(workspace_id, 'documents', base_id) FROM failed`,
    [MOST_EXECUTIONS],
  );
}

type Progress = {
  status: "extracting" | "indexing";
  progressDone: number;
  progressTotal: number;
  pages: number | null;
  characters: number;
};

/** Throws Superseded. */
export async function saveProgress(pool: pg.Pool, job: DocumentJob, progress: Progress): Promise<void> {
  const { rowCount } = await pool.query({
    name: "save_document_progress",
    text: `WITH saved AS (
        UPDATE documents SET status = $4, progress_done = $5, progress_total = $6, pages = $7, characters = $8
        WHERE id = $1 AND epoch = $2 AND worker_id = $3 RETURNING workspace_id, base_id)
      SELECT tell_changed(workspace_id, 'documents', base_id) FROM saved`,
    values: [
      ...[job.documentId, job.epoch, job.workerId, progress.status],
      ...[progress.progressDone, progress.progressTotal, progress.pages, progress.characters],
    ],
  });
  if (rowCount === 0) throw new Superseded();
}

/** After the revision was published, in the same transaction. Throws Superseded, which undoes both. */
export async function saveReady(client: pg.PoolClient, job: DocumentJob): Promise<void> {
  const { rowCount } = await client.query(
    `WITH saved AS (
       UPDATE documents SET status = 'ready', status_reason = NULL, worker_id = NULL, indexed_at = now(),
         progress_done = progress_total
       WHERE id = $1 AND epoch = $2 AND worker_id = $3 RETURNING workspace_id, base_id)
     SELECT tell_changed(workspace_id, 'documents', base_id) FROM saved`,
    [job.documentId, job.epoch, job.workerId],
  );
  if (rowCount === 0) throw new Superseded();
}

/** `code` is for us, the sentence for people. What was searched before of this document stays. */
export async function saveFailed(pool: pg.Pool, job: DocumentJob, code: string, sentence: string): Promise<void> {
  await pool.query(
    `WITH saved AS (
       UPDATE documents SET status = 'failed', status_reason = $4, worker_id = NULL
       WHERE id = $1 AND epoch = $2 AND worker_id = $3 RETURNING workspace_id, base_id)
     SELECT tell_changed(workspace_id, 'documents', base_id) FROM saved`,
    [job.documentId, job.epoch, job.workerId, `${code}: ${sentence}`],
  );
}

/** Lets go of whatever this worker holds, so that others go on with it at once. */
export async function releaseDocuments(pool: pg.Pool, workerId: string): Promise<void> {
  await pool.query(
    `WITH released AS (
       UPDATE documents SET worker_id = NULL WHERE worker_id = $1 AND status IN ('extracting', 'indexing') RETURNING id)
     SELECT pg_notify('troupe_work', 'document:' || id) FROM released`,
    [workerId],
  );
}
