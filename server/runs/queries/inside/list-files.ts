import { pool } from "@/server/db";
import { ofRun } from "@/server/runs/queries/of-run";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { getLastSeq } from "../list-events";
import { pageOf } from "./page-of";
import {
  type AgentResult,
  type AttachedFile,
  LARGE_RESULT_BYTES,
  type LargeResult,
  type RunFilesInput,
  type UsedDocument,
} from "./schema";

const PAGE = 50;

type Page<T> = { items: T[]; nextCursor: number | null; total: number };

/** Documents attached to the run's conversation, oldest first. Throws NOT_FOUND. */
export const listAttached = (workspaceId: WorkspaceId, input: RunFilesInput): Promise<Page<AttachedFile>> =>
  listFiles(workspaceId, input, {
    rows: `SELECT d.file_id AS "fileId", d.name, d.size_bytes::float8 AS "sizeBytes", d.status, d.chunk_count AS passages, d.created_at AS since, d.id
      FROM runs r JOIN knowledge_bases b ON b.workspace_id = r.workspace_id AND b.conversation_id = r.conversation_id
      JOIN documents d ON d.workspace_id = b.workspace_id AND d.base_id = b.id
      WHERE r.workspace_id = $1 AND r.id = $2`,
    order: "x.since, x.id",
  });

/** Documents of which an agent was shown a passage, those with the most first. Throws NOT_FOUND. */
export const listUsedDocuments = (workspaceId: WorkspaceId, input: RunFilesInput): Promise<Page<UsedDocument>> =>
  listFiles(workspaceId, input, {
    rows: `SELECT c.document_id AS "documentId", c.base_id AS "baseId", max(c.document_name) AS name, max(b.name) AS "baseName",
        max(d.file_id::text) AS "fileId", max(d.size_bytes)::float8 AS "sizeBytes", count(*)::int AS passages
      FROM citations c
      LEFT JOIN documents d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
      LEFT JOIN knowledge_bases b ON b.workspace_id = d.workspace_id AND b.id = d.base_id
      WHERE c.workspace_id = $1 AND c.run_id = $2 GROUP BY c.document_id, c.base_id`,
    order: `x.passages DESC, x.name, x."documentId", x."baseId"`,
  });

/** What agents handed in, in the order they were started. Throws NOT_FOUND. */
export const listResults = (workspaceId: WorkspaceId, input: RunFilesInput): Promise<Page<AgentResult>> =>
  listFiles(workspaceId, input, {
    rows: `SELECT a.id AS "agentRunId", a.name, octet_length(a.result) AS bytes, a.created_at AS since
      FROM agent_runs a WHERE a.workspace_id = $1 AND a.run_id = $2 AND a.result IS NOT NULL`,
    order: `x.since, x."agentRunId"`,
  });

/** What tools returned, from `LARGE_RESULT_BYTES` on, the largest first. Throws NOT_FOUND. */
export const listLargeResults = (workspaceId: WorkspaceId, input: RunFilesInput): Promise<Page<LargeResult>> =>
  listFiles(workspaceId, input, {
    rows: `SELECT s.agent_run_id AS "agentRunId", a.name AS "agentName", s.position, s.name, s.output_bytes AS bytes, s.started_at AS since
      FROM steps s JOIN agent_runs a ON a.workspace_id = s.workspace_id AND a.id = s.agent_run_id
      WHERE s.workspace_id = $1 AND ${ofRun("s", "$2")} AND s.kind IN ('tool', 'retrieval') AND s.output_bytes >= ${LARGE_RESULT_BYTES}`,
    order: `x.bytes DESC, x.since, x."agentRunId", x.position`,
  });

/** A page of what is listed by name. */
async function listFiles<T>(
  workspaceId: WorkspaceId,
  { runId, search, cursor }: RunFilesInput,
  { rows: all, order }: { rows: string; order: string },
): Promise<Page<T>> {
  await getLastSeq(workspaceId, runId);
  const offset = cursor ?? 0;
  const { rows } = await pool().query<T & { total: number }>(
    `SELECT x.*, (count(*) OVER ())::int AS total FROM (${all}) x
     WHERE $3 = '' OR strpos(lower(x.name), lower($3)) > 0 ORDER BY ${order} LIMIT $4 OFFSET $5`,
    [workspaceId, runId, search, PAGE + 1, offset],
  );
  return { ...pageOf(rows, PAGE, offset), total: rows[0]?.total ?? 0 };
}
