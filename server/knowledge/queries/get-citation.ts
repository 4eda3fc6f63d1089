import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { CitationView } from "../schema";

type CitationRecord = Omit<CitationView, "document"> & {
  documentId: string | null;
  baseId: string;
  baseName: string;
  conversationId: string | null;
  position: number | null;
};

/**
 * What a mark in an answer stands for: the passage as the agent was shown it, and where the same words are today.
 * Throws NOT_FOUND.
 */
export async function getCitation(
  workspaceId: WorkspaceId,
  { runId, mark }: { runId: string; mark: string },
): Promise<CitationView> {
  const { rows } = await pool().query<CitationRecord>(
    `SELECT q.mark, q.text, q.heading, q.page, q.document_name AS "documentName", q.agent_run_id AS "agentRunId",
       iso(q.at) AS at, q.scores, d.id AS "documentId", d.base_id AS "baseId", b.name AS "baseName",
       b.conversation_id AS "conversationId", (
         SELECT c.position FROM chunks c
         WHERE c.document_id = d.id AND c.revision = d.live_revision AND (c.id = q.chunk_id OR c.text = q.text)
         ORDER BY c.id = q.chunk_id DESC, c.position LIMIT 1) AS position
     FROM citations q
     LEFT JOIN documents d ON d.workspace_id = q.workspace_id AND d.id = q.document_id
     LEFT JOIN knowledge_bases b ON b.workspace_id = d.workspace_id AND b.id = d.base_id
     WHERE q.workspace_id = $1 AND q.run_id = $2 AND q.mark = $3`,
    [workspaceId, runId, mark],
  );
  const row = rows[0];
  if (!row) throw new AppError("NOT_FOUND", "No passage with this mark was shown to an agent of this run.");
  const { documentId, baseId, baseName, conversationId, position, ...citation } = row;
  return {
    ...citation,
    document: documentId === null ? null : { documentId, baseId, baseName, conversationId, position },
  };
}
