import { pool } from "@/server/db";
import { ofRun } from "@/server/runs/queries/of-run";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { getLastSeq } from "../list-events";
import { LARGE_RESULT_BYTES, type RunFiles } from "./schema";

/** As many of a kind as are listed; the totals say how many there are. */
const MOST = 100;

/** What came into a run as files, and what of it can be saved as one; sizes in bytes. Throws NOT_FOUND. */
export async function getRunFiles(workspaceId: WorkspaceId, runId: string): Promise<RunFiles> {
  await getLastSeq(workspaceId, runId);
  const { rows } = await pool().query<{ files: RunFiles }>(
    `SELECT json_build_object(
       'attached', (SELECT coalesce(json_agg(x), '[]') FROM (
         SELECT d.file_id AS "fileId", d.name, d.size_bytes AS "sizeBytes", d.status, d.chunk_count AS passages
         FROM documents d JOIN knowledge_bases b ON b.workspace_id = d.workspace_id AND b.id = d.base_id
         WHERE d.workspace_id = $1 AND b.conversation_id = r.conversation_id ORDER BY d.created_at, d.id LIMIT ${MOST}) x),
       'used', (SELECT coalesce(json_agg(x), '[]') FROM (
         SELECT c.document_id AS "documentId", c.base_id AS "baseId", max(c.document_name) AS name, max(b.name) AS "baseName",
           max(d.file_id::text) AS "fileId", max(d.size_bytes) AS "sizeBytes", count(*)::int AS passages
         FROM citations c
         LEFT JOIN documents d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
         LEFT JOIN knowledge_bases b ON b.workspace_id = d.workspace_id AND b.id = d.base_id
         WHERE c.workspace_id = $1 AND c.run_id = $2 GROUP BY c.document_id, c.base_id ORDER BY 7 DESC, 3 LIMIT ${MOST}) x),
       'results', (SELECT coalesce(json_agg(x), '[]') FROM (
         SELECT a.id AS "agentRunId", a.name AS "agentName", octet_length(a.result) AS bytes FROM agent_runs a
         WHERE a.workspace_id = $1 AND a.run_id = $2 AND a.result IS NOT NULL ORDER BY a.created_at, a.id LIMIT ${MOST}) x),
       'resultsTotal', (SELECT count(*) FROM agent_runs a WHERE a.workspace_id = $1 AND a.run_id = $2 AND a.result IS NOT NULL),
       'large', (SELECT coalesce(json_agg(x), '[]') FROM (
         SELECT s.agent_run_id AS "agentRunId", a.name AS "agentName", s.position, s.name AS tool, s.output_bytes AS bytes
         FROM steps s JOIN agent_runs a ON a.workspace_id = s.workspace_id AND a.id = s.agent_run_id
         WHERE s.workspace_id = $1 AND ${ofRun("s", "$2")} AND ${IS_LARGE} ORDER BY s.output_bytes DESC, s.started_at, s.position LIMIT ${MOST}) x),
       'largeTotal', (SELECT count(*) FROM steps s WHERE s.workspace_id = $1 AND ${ofRun("s", "$2")} AND ${IS_LARGE})) AS files
     FROM runs r WHERE r.workspace_id = $1 AND r.id = $2`,
    [workspaceId, runId],
  );
  return rows[0]?.files as RunFiles;
}

const IS_LARGE = `s.kind IN ('tool', 'retrieval') AND s.output_bytes >= ${LARGE_RESULT_BYTES}`;
