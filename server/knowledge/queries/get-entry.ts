import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { EntryView } from "../entry-schema";
import { entryTextIn } from "../rules";

export const NO_ENTRY = "There is no such entry, or it was removed.";

/** An entry with its text, to be changed. Throws NOT_FOUND, also for a document that was uploaded. */
export async function getEntry(workspaceId: WorkspaceId, documentId: string): Promise<EntryView> {
  // One statement, so that the text is that of the file.
  const { rows } = await pool().query<Omit<EntryView, "text"> & { content: Buffer }>(
    `SELECT d.id AS "documentId", d.file_id AS "fileId", d.entry_kind AS "entryKind", d.name AS title, u.name AS "savedBy",
       iso(f.created_at) AS "savedAt", coalesce((SELECT string_agg(p.content, ''::bytea ORDER BY p.part) FROM file_parts p
         WHERE p.workspace_id = f.workspace_id AND p.file_id = f.id), '') AS content
     FROM documents d JOIN files f ON f.workspace_id = d.workspace_id AND f.id = d.file_id
     LEFT JOIN users u ON u.id = f.created_by_id
     WHERE d.workspace_id = $1 AND d.id = $2 AND d.entry_kind IS NOT NULL`,
    [workspaceId, documentId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", NO_ENTRY);
  const { content, ...entry } = rows[0];
  return { ...entry, text: entryTextIn(content.toString("utf8"), entry.title) };
}
