import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { LASTING } from "@/server/retrieval/extraction-failure";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { DocumentView, ListDocumentsInput } from "../schema";
import { getBaseStanding } from "./get-base";

// Each change of an entry is a file of its own, made after the document was.
const ENTRY_FACTS = `
  SELECT json_build_object('kind', d.entry_kind,
    'changedAt', CASE WHEN f.created_at > d.created_at THEN iso(f.created_at) END,
    'changedBy', CASE WHEN f.created_at > d.created_at THEN c.name END,
    'from', CASE WHEN r.id IS NOT NULL THEN json_build_object('runId', r.id, 'runTitle', r.title, 'place', d.from_place) END)
  FROM files f LEFT JOIN users c ON c.id = f.created_by_id
  LEFT JOIN runs r ON r.workspace_id = d.workspace_id AND r.id = d.from_run_id AND r.removing_at IS NULL
  WHERE f.workspace_id = d.workspace_id AND f.id = d.file_id`;

/** Columns of a document `d` with its uploader `u`, in the shape of its view. */
export const DOCUMENT_COLUMNS = `
  d.id, d.base_id AS "baseId", d.file_id AS "fileId", d.name, d.media_type AS "mediaType",
  d.size_bytes::float8 AS "sizeBytes", d.status, regexp_replace(d.status_reason, '^[a-z_]+: ', '') AS problem,
  d.status = 'failed' AND coalesce(split_part(d.status_reason, ':', 1), '') <> ALL ('{${LASTING.join(",")}}') AS "mayPass",
  d.live_revision > 0 AND d.live_revision < d.revision AS "isReplacing",
  d.progress_done AS "progressDone", d.progress_total AS "progressTotal", d.chunk_count AS chunks, d.pages,
  d.characters, u.name AS "createdBy", iso(d.created_at) AS "createdAt", iso(d.indexed_at) AS "indexedAt",
  CASE WHEN d.entry_kind IS NOT NULL THEN (${ENTRY_FACTS}) END AS entry`;

const STATUSES = {
  all: ["queued", "extracting", "indexing", "ready", "failed"],
  busy: ["queued", "extracting", "indexing"],
  failed: ["failed"],
  ready: ["ready"],
} as const;

/**
 * A page of a base's documents, newest first; `total` counts all that match. Throws NOT_FOUND for the base, INVALID for a
 * cursor that is not ours.
 */
export async function listDocuments(
  workspaceId: WorkspaceId,
  input: ListDocumentsInput,
): Promise<{ items: DocumentView[]; total: number; nextCursor: string | null }> {
  await getBaseStanding(workspaceId, input.baseId);
  const after = input.cursor ? parseCursor(input.cursor) : null;
  const { rows } = await pool().query<DocumentView & { total: number; key: string }>(
    `WITH matching AS (
       SELECT d.* FROM documents d WHERE d.workspace_id = $1 AND d.base_id = $2 AND d.status = ANY($3::text[])
         AND ($4 = '' OR d.name ILIKE $5)
         AND ($9 = 'all' OR d.entry_kind = $9 OR ($9 = 'entry' AND d.entry_kind IS NOT NULL))
     )
     SELECT ${DOCUMENT_COLUMNS}, (SELECT count(*)::int FROM matching) AS total,
       (extract(epoch FROM d.created_at) * 1000)::bigint || '.' || d.id AS key
     FROM matching d LEFT JOIN users u ON u.id = d.created_by_id
     WHERE $6::timestamptz IS NULL OR (d.created_at, d.id) < ($6::timestamptz, $7::uuid)
     ORDER BY d.created_at DESC, d.id DESC LIMIT $8`,
    [
      ...[workspaceId, input.baseId, STATUSES[input.status]],
      ...[input.search, `%${input.search.replace(/[\\%_]/g, "\\$&")}%`],
      ...[after?.createdAt ?? null, after?.id ?? null, input.limit + 1, input.entryKind],
    ],
  );
  const page = rows.slice(0, input.limit);
  return {
    items: page.map(({ total: _total, key: _key, ...document }) => document),
    total: rows[0]?.total ?? 0,
    nextCursor: rows.length > input.limit ? (page.at(-1)?.key ?? null) : null,
  };
}

/** Throws NOT_FOUND. */
export async function getDocument(workspaceId: WorkspaceId, documentId: string): Promise<DocumentView> {
  const { rows } = await pool().query<DocumentView>(
    `SELECT ${DOCUMENT_COLUMNS} FROM documents d LEFT JOIN users u ON u.id = d.created_by_id
     WHERE d.workspace_id = $1 AND d.id = $2`,
    [workspaceId, documentId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "There is no such document, or it was removed.");
  return rows[0];
}

function parseCursor(cursor: string): { createdAt: Date; id: string } {
  const [, time, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (!time || !id) throw new AppError("INVALID", "This page of documents no longer exists. Open the list again.");
  return { createdAt: new Date(Number(time)), id };
}
