import type pg from "pg";
import { v7 as uuid } from "uuid";
import { AppError } from "@/server/errors";
import { getDocument } from "@/server/knowledge/queries/list-documents";
import type { UploadResult } from "@/server/knowledge/schema";
import { inTransaction } from "@/server/transaction";
import { assertMayAddDocument } from "@/server/usage/service/count-against-limits";
import type { Scope } from "@/server/workspaces/scope";
import { giveFile, holdBase, markStored, tellQueued } from "./document-rows";
import type { ReceivedFile } from "./store-file";

type Uploaded = ReceivedFile & { baseId: string; name: string };
type Queued = { documentId: string; outcome: UploadResult["outcome"] };

/**
 * Makes a received file a document of the base, all at once, and wakes the workers. The same bytes are in the base already:
 * nothing is added. The name is: its document gets the new file and a new revision; what was found in it before stays until
 * the new revision is indexed. Throws NOT_FOUND when the base was deleted meanwhile, CONFLICT for the name of an entry,
 * TOO_MANY_REQUESTS when it is full.
 */
export async function queueDocument(scope: Scope, uploaded: Uploaded): Promise<UploadResult> {
  const { documentId, outcome } = await inTransaction(async (client) => {
    await holdBase(client, scope, uploaded.baseId);
    const queued = await decide(client, scope, uploaded);
    await tellQueued(client, scope, { baseId: uploaded.baseId, documentId: queued.documentId });
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

async function replace(client: pg.PoolClient, scope: Scope, uploaded: Uploaded): Promise<Queued | null> {
  const { workspaceId, userId } = scope;
  const { baseId, name } = uploaded;
  const before = await client.query<{ id: string; fileId: string; isEntry: boolean }>(
    `SELECT id, file_id AS "fileId", entry_kind IS NOT NULL AS "isEntry" FROM documents
     WHERE workspace_id = $1 AND base_id = $2 AND name = $3 FOR NO KEY UPDATE`,
    [workspaceId, baseId, name],
  );
  const document = before.rows[0];
  if (!document) return null;
  // Nobody expects a file to take the place of what somebody wrote.
  if (document.isEntry) throw new AppError("CONFLICT", isAnEntry(name));
  await giveFile(client, scope, { documentId: document.id, oldFileId: document.fileId, file: uploaded });
  await client.query("UPDATE documents SET created_by_id = $3 WHERE workspace_id = $1 AND id = $2", [
    ...[workspaceId, document.id, userId],
  ]);
  return { documentId: document.id, outcome: "replaced" };
}

const isAnEntry = (name: string) =>
  `“${name}” is an entry that somebody wrote in this base. Rename the file, or change the entry itself.`;

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
