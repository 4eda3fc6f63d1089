import { AppError } from "@/server/errors";
import { inTransaction } from "@/server/transaction";
import type { Scope } from "@/server/workspaces/scope";
import { getBaseStanding } from "../queries/get-base";
import { getDocument } from "../queries/list-documents";
import { canChangeDocuments } from "../rules";
import type { DocumentView } from "../schema";

/**
 * Has a failed document read and indexed again from its file. What was found in it before stays until then. Throws NOT_FOUND,
 * NOT_ALLOWED, and CONFLICT for one that did not fail.
 */
export async function retryDocument({
  scope: { workspaceId, role },
  documentId,
}: {
  scope: Scope;
  documentId: string;
}): Promise<DocumentView> {
  const { baseId } = await getDocument(workspaceId, documentId);
  if (!canChangeDocuments(role, await getBaseStanding(workspaceId, baseId))) {
    throw new AppError("NOT_ALLOWED", "You cannot change this here. Ask an owner for the editor role.");
  }
  await inTransaction(async (client) => {
    // A new revision: what a first attempt stored may be cut otherwise than what this one stores.
    const { rowCount } = await client.query(
      `UPDATE documents SET status = 'queued', status_reason = NULL, progress_done = 0, progress_total = 0,
         revision = revision + 1, epoch = epoch + 1, worker_id = NULL
       WHERE workspace_id = $1 AND id = $2 AND status = 'failed'`,
      [workspaceId, documentId],
    );
    if (rowCount === 0) throw new AppError("CONFLICT", "This document did not fail: there is nothing to try again.");
    await client.query("SELECT tell_changed($1, 'documents', $2), pg_notify('troupe_work', 'document:' || $3)", [
      ...[workspaceId, baseId, documentId],
    ]);
  });
  return getDocument(workspaceId, documentId);
}
