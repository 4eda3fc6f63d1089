import type pg from "pg";
import { pool } from "@/server/db";
import { inTransaction } from "@/server/transaction";
import { deleteChunks, lockBase } from "./store-chunks";

type Which = { workspaceId: string; baseId: string; documentIds: readonly string[] };

/**
 * Deletes documents with their index and files. They stop being found and counted at once; their passages then go some at a
 * time, so that a large document holds nobody up. Cut off in between, a document is left as failed, to be removed again.
 * Returns how many there were.
 */
export async function removeDocumentRows(which: Which): Promise<number> {
  let removed = 0;
  for (const taken of await inTransaction((client) => takeOut(client, which))) {
    await deleteChunks(pool(), taken.id, { below: taken.revision });
    removed += await inTransaction((client) => deleteRow(client, which, taken));
  }
  return removed;
}

/** A document and the revision it has since it was taken out: a higher one was uploaded or asked for again meanwhile. */
type TakenOut = { id: string; revision: number };

/** All documents of a base, the same way. */
export async function removeBaseDocuments(workspaceId: string, baseId: string): Promise<void> {
  for (;;) {
    const { rows } = await pool().query<{ id: string }>(
      "SELECT id FROM documents WHERE workspace_id = $1 AND base_id = $2 ORDER BY id LIMIT 500",
      [workspaceId, baseId],
    );
    if (rows.length === 0) return;
    await removeDocumentRows({ workspaceId, baseId, documentIds: rows.map(({ id }) => id) });
  }
}

/** Deletes a base and what is left in it. Call removeBaseDocuments first: this is one transaction. */
export function removeBaseRow(workspaceId: string, baseId: string): Promise<void> {
  return inTransaction(async (client) => {
    await client.query("SELECT 1 FROM knowledge_bases WHERE workspace_id = $1 AND id = $2 FOR UPDATE", [
      workspaceId,
      baseId,
    ]);
    // Uploaded since: rows and files, hardly an index yet.
    const { rows } = await client.query<{ fileId: string }>(
      `DELETE FROM documents WHERE workspace_id = $1 AND base_id = $2 RETURNING file_id AS "fileId"`,
      [workspaceId, baseId],
    );
    await deleteFiles(
      client,
      workspaceId,
      rows.map(({ fileId }) => fileId),
    );
    await client.query("DELETE FROM knowledge_bases WHERE workspace_id = $1 AND id = $2", [workspaceId, baseId]);
  });
}

/** A higher revision and epoch: whoever still indexes one of them stores nothing more. */
async function takeOut(client: pg.PoolClient, { workspaceId, baseId, documentIds }: Which): Promise<TakenOut[]> {
  await lockBase(client, workspaceId, baseId);
  const { rows } = await client.query<{ id: string; live: number }>(
    `SELECT id, live_revision AS live FROM documents
     WHERE workspace_id = $1 AND base_id = $2 AND id = ANY($3::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    [workspaceId, baseId, documentIds],
  );
  const ids = rows.map(({ id }) => id);
  await client.query(
    `UPDATE knowledge_bases b SET chunk_count = b.chunk_count - sums.chunks, term_count = b.term_count - sums.terms, updated_at = now()
     FROM (SELECT count(*)::int AS chunks, coalesce(sum(c.terms), 0) AS terms
       FROM unnest($3::uuid[], $4::int[]) AS d (id, live)
       JOIN chunks c ON c.document_id = d.id AND c.revision = d.live) sums
     WHERE b.workspace_id = $1 AND b.id = $2`,
    [workspaceId, baseId, ids, rows.map(({ live }) => live)],
  );
  const taken = await client.query<TakenOut>(
    `UPDATE documents SET live_revision = 0, chunk_count = 0, revision = revision + 1, epoch = epoch + 1, worker_id = NULL,
       status = 'failed', status_reason = 'removal_cut_off: Its removal was cut off. Remove it again, or retry to keep it.'
     WHERE workspace_id = $1 AND id = ANY($2::uuid[]) RETURNING id, revision`,
    [workspaceId, ids],
  );
  return taken.rows;
}

async function deleteRow(client: pg.PoolClient, { workspaceId, baseId }: Which, taken: TakenOut): Promise<number> {
  await lockBase(client, workspaceId, baseId);
  const { rows } = await client.query<{ fileId: string }>(
    `DELETE FROM documents WHERE workspace_id = $1 AND id = $2 AND revision = $3 RETURNING file_id AS "fileId"`,
    [workspaceId, taken.id, taken.revision],
  );
  await deleteFiles(
    client,
    workspaceId,
    rows.map(({ fileId }) => fileId),
  );
  return rows.length;
}

/** Files that no document has any more, one a statement: fifty megabytes take the embedded database a while. */
export async function deleteFiles(
  client: pg.ClientBase,
  workspaceId: string,
  fileIds: readonly string[],
): Promise<void> {
  for (const fileId of fileIds) {
    await client.query(
      `DELETE FROM files f WHERE f.workspace_id = $1 AND f.id = $2
       AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.workspace_id = $1 AND d.file_id = f.id)`,
      [workspaceId, fileId],
    );
  }
}
