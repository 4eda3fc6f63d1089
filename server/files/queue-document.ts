import type pg from "pg";
import { v7 as uuid } from "uuid";
import { AppError } from "@/server/errors";
import { getDocument } from "@/server/knowledge/queries/list-documents";
import type { UploadResult } from "@/server/knowledge/schema";
import { inTransaction } from "@/server/transaction";
import { assertMayAddDocument } from "@/server/usage/service/count-against-limits";
import type { Scope } from "@/server/workspaces/scope";
import type { ReceivedFile } from "./store-file";

type Uploaded = ReceivedFile & { baseId: string; name: string };
type Queued = { documentId: string; outcome: UploadResult["outcome"] };

/**
 * Makes a received file a document of the base, all at once, and wakes the workers. The same bytes are in the base already:
 * nothing is added. The name is: its document gets the new file and a new revision; what was found in it before stays until
 * the new revision is indexed. Throws NOT_FOUND when the base was deleted meanwhile, TOO_MANY_REQUESTS when it is full.
 */
export async function queueDocument(scope: Scope, uploaded: Uploaded): Promise<UploadResult> {
  const { documentId, outcome } = await inTransaction(async (client) => {
    // One upload at a time decides what is in the base. First the base, then the document: everybody locks in this order.
    const base = await client.query(
      "SELECT 1 FROM knowledge_bases WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE",
      [scope.workspaceId, uploaded.baseId],
    );
    if (base.rowCount === 0) throw new AppError("NOT_FOUND", "This knowledge base was deleted meanwhile.");
    const queued = await decide(client, scope, uploaded);
    await client.query("SELECT tell_changed($1, 'documents', $2), pg_notify('troupe_work', 'document:' || $3)", [
      ...[scope.workspaceId, uploaded.baseId, queued.documentId],
    ]);
    return queued;
  });
  return { document: await getDocument(scope.workspaceId, documentId), outcome };
}

async function decide(client: pg.PoolClient, scope: Scope, uploaded: Uploaded): Promise<Queued> {
  const { workspaceId } = scope;
  const { baseId, fileId, sha256 } = uploaded;
  // One that failed is no reason to refuse the same bytes: uploading them again is how people try again.
  const same = await client.query<{ id: string }>(
    `SELECT id FROM documents WHERE workspace_id = $1 AND base_id = $2 AND sha256 = $3 AND status <> 'failed'
     ORDER BY created_at LIMIT 1`,
    [workspaceId, baseId, sha256],
  );
  if (same.rows[0]) {
    await client.query("DELETE FROM files WHERE workspace_id = $1 AND id = $2", [workspaceId, fileId]);
    return { documentId: same.rows[0].id, outcome: "duplicate" };
  }
  await markStored(client, scope, uploaded);
  return (await replace(client, scope, uploaded)) ?? (await add(client, scope, uploaded));
}

async function markStored(client: pg.PoolClient, { workspaceId }: Scope, uploaded: Uploaded): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE files SET status = 'stored', media_type = $3, size_bytes = $4, sha256 = $5, touched_at = now()
     WHERE workspace_id = $1 AND id = $2 AND status = 'uploading'`,
    [workspaceId, uploaded.fileId, uploaded.mediaType, uploaded.sizeBytes, uploaded.sha256],
  );
  if (rowCount === 0) throw new AppError("CONFLICT", "This upload stood still for too long. Upload the file again.");
}

async function replace(client: pg.PoolClient, scope: Scope, uploaded: Uploaded): Promise<Queued | null> {
  const { workspaceId, userId } = scope;
  const { baseId, name, fileId, mediaType, sizeBytes, sha256 } = uploaded;
  const before = await client.query<{ id: string; fileId: string }>(
    `SELECT id, file_id AS "fileId" FROM documents WHERE workspace_id = $1 AND base_id = $2 AND name = $3
     FOR NO KEY UPDATE`,
    [workspaceId, baseId, name],
  );
  const document = before.rows[0];
  if (!document) return null;
  // A higher epoch and no worker: whoever indexes the old file has lost it.
  await client.query(
    `UPDATE documents SET file_id = $3, media_type = $4, size_bytes = $5, sha256 = $6, created_by_id = $7,
       status = 'queued', status_reason = NULL, progress_done = 0, progress_total = 0,
       revision = revision + 1, epoch = epoch + 1, worker_id = NULL
     WHERE workspace_id = $1 AND id = $2`,
    [workspaceId, document.id, fileId, mediaType, sizeBytes, sha256, userId],
  );
  await client.query("DELETE FROM files WHERE workspace_id = $1 AND id = $2", [workspaceId, document.fileId]);
  return { documentId: document.id, outcome: "replaced" };
}

async function add(client: pg.PoolClient, scope: Scope, uploaded: Uploaded): Promise<Queued> {
  await assertMayAddDocument(client, scope.workspaceId, uploaded);
  const documentId = uuid();
  await client.query(
    `INSERT INTO documents (id, workspace_id, base_id, file_id, name, media_type, size_bytes, sha256, created_by_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[documentId, scope.workspaceId, uploaded.baseId, uploaded.fileId, uploaded.name],
      ...[uploaded.mediaType, uploaded.sizeBytes, uploaded.sha256, scope.userId],
    ],
  );
  return { documentId, outcome: "added" };
}
