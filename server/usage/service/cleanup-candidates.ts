import type { CleanupKind } from "../schema";

/**
 * What a cleanup removes, by kind: rows of workspace $1 before the instant $2. The dry run and the removal read the same words,
 * and the removal reads them again, holding the row, for each thing it removes.
 *
 * A run that is a turn goes with its conversation or stays with it: a conversation with holes would answer from what nobody can
 * read any more. What has not ended stays, and so does whatever waits for a person. An imported run is as
 * old as its import.
 */
export const CANDIDATES: Record<CleanupKind, { from: string; where: string; id: string; at: string }> = {
  runs: {
    from: "runs r",
    where: `r.workspace_id = $1 AND r.conversation_id IS NULL AND r.status IN ('completed', 'failed', 'aborted')
      AND r.finished_at < $2 AND r.open_requests = 0
      AND NOT EXISTS (SELECT FROM run_imports i WHERE i.run_id = r.id AND i.imported_at >= $2)`,
    id: "r.id",
    at: "r.finished_at",
  },
  conversations: {
    from: "conversations c",
    where: `c.workspace_id = $1 AND c.updated_at < $2
      AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.workspace_id = $1 AND r.conversation_id = c.id
        AND (r.status NOT IN ('completed', 'failed', 'aborted') OR r.finished_at >= $2 OR r.open_requests > 0))
      AND NOT EXISTS (SELECT 1 FROM knowledge_bases b JOIN documents d ON d.workspace_id = $1 AND d.base_id = b.id
        WHERE b.workspace_id = $1 AND b.conversation_id = c.id AND d.created_at >= $2)`,
    id: "c.id",
    at: "c.updated_at",
  },
  uploads: {
    from: "files f",
    where: `f.workspace_id = $1 AND f.status = 'stored' AND f.touched_at < $2
      AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.workspace_id = $1 AND d.file_id = f.id)`,
    id: "f.id",
    at: "f.touched_at",
  },
};

/** Bytes that go with one of them, as far as they are its own. */
export const BYTES_OF: Record<CleanupKind, string> = {
  runs: "coalesce(r.kept_bytes, 0)",
  conversations: `(SELECT coalesce(sum(r.kept_bytes), 0) FROM runs r WHERE r.workspace_id = $1 AND r.conversation_id = c.id)
    + (SELECT coalesce(sum(d.size_bytes), 0) FROM knowledge_bases b JOIN documents d ON d.workspace_id = $1 AND d.base_id = b.id
       WHERE b.workspace_id = $1 AND b.conversation_id = c.id)`,
  uploads: "f.size_bytes",
};

export const TITLE_OF: Record<CleanupKind, string> = {
  runs: "r.title",
  conversations: "CASE WHEN c.title = '' THEN 'New conversation' ELSE c.title END",
  uploads: "f.name",
};
