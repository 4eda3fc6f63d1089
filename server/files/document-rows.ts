import type pg from "pg";
import { AppError } from "@/server/errors";
import type { Scope } from "@/server/workspaces/scope";
import type { ReceivedFile } from "./store-file";

/** What uploads and entries do alike to a base, each inside the transaction of its caller. */

/** One at a time decides what is in the base. First the base, then the document: everybody locks in this order. Throws NOT_FOUND. */
export async function holdBase(client: pg.PoolClient, { workspaceId }: Scope, baseId: string): Promise<void> {
  const base = await client.query(
    "SELECT 1 FROM knowledge_bases WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE",
    [workspaceId, baseId],
  );
  if (base.rowCount === 0) throw new AppError("NOT_FOUND", "This knowledge base was deleted meanwhile.");
}

/** The file has arrived whole. Throws CONFLICT when it was swept away meanwhile. */
export async function markStored(client: pg.PoolClient, { workspaceId }: Scope, file: ReceivedFile): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE files SET status = 'stored', media_type = $3, size_bytes = $4, sha256 = $5, touched_at = now()
     WHERE workspace_id = $1 AND id = $2 AND status = 'uploading'`,
    [workspaceId, file.fileId, file.mediaType, file.sizeBytes, file.sha256],
  );
  if (rowCount === 0) throw new AppError("CONFLICT", "This upload stood still for too long. Upload the file again.");
}

/**
 * Gives a document another file, as a new revision; what was found in it before stays until that is indexed. A higher epoch and
 * no worker: whoever indexes the old file has lost it.
 */
export async function giveFile(
  client: pg.PoolClient,
  { workspaceId }: Scope,
  { documentId, oldFileId, file }: { documentId: string; oldFileId: string; file: ReceivedFile },
): Promise<void> {
  await client.query(
    `UPDATE documents SET file_id = $3, media_type = $4, size_bytes = $5, sha256 = $6,
       status = 'queued', status_reason = NULL, progress_done = 0, progress_total = 0,
       revision = revision + 1, epoch = epoch + 1, worker_id = NULL
     WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, documentId, file.fileId, file.mediaType, file.sizeBytes, file.sha256],
  );
  await client.query("DELETE FROM files WHERE workspace_id = $1 AND id = $2", [workspaceId, oldFileId]);
}

/** Tells browsers, and wakes the workers. */
export async function tellQueued(
  client: pg.PoolClient,
  { workspaceId }: Scope,
  { baseId, documentId }: { baseId: string; documentId: string },
): Promise<void> {
  await client.query("SELECT tell_changed($1, 'documents', $2), pg_notify('troupe_work', 'document:' || $3)", [
    ...[workspaceId, baseId, documentId],
  ]);
}
