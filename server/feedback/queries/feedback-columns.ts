import { toInstant, toInstantOrNull } from "@/server/runs/queries/instant";
import type { FeedbackEntry } from "../schema";

/** Columns of an entry, of feedback `f` and whoever gave it, `u`. */
export const ENTRY_COLUMNS = `f.id, f.run_id AS "runId", f.type, f.content, f.user_id AS "userId",
  coalesce(u.name, 'Somebody who left') AS by, f.at, f.edited_at AS "editedAt"`;
export const ENTRY_JOIN = "LEFT JOIN users u ON u.id = f.user_id";

type Dated = { at: Date; editedAt: Date | null };
export type EntryRecord = Omit<FeedbackEntry, keyof Dated> & Dated;

export function withInstants<T extends Dated>(row: T): Omit<T, keyof Dated> & Pick<FeedbackEntry, keyof Dated> {
  return { ...row, at: toInstant(row.at), editedAt: toInstantOrNull(row.editedAt) };
}
