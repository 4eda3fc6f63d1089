import { toInstant } from "@/server/runs/queries/instant";
import type { EntryKind } from "../schema";
import type { Entry } from "./chain";

/** Of an entry `e`. */
export const ENTRY_COLUMNS = `e.seq, e.kind, e.subject_id AS "subjectId", e.digest, e.events, e.by_id AS "byId", e.at,
  e.previous_hash AS "previousHash", e.hash`;

export type EntryRow = {
  seq: number;
  kind: EntryKind;
  subjectId: string;
  digest: string | null;
  events: number | null;
  byId: string | null;
  at: Date;
  previousHash: string;
  hash: string;
};

export function toEntry(workspaceId: string, row: EntryRow): Entry & { hash: string } {
  const { seq, kind, subjectId, digest, events, byId, previousHash, hash } = row;
  return { workspaceId, seq, kind, subjectId, digest, events, byId, at: toInstant(row.at), previousHash, hash };
}
