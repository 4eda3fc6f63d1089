import { pool } from "@/server/db";
import type { PassageScores, SearchHit } from "@/server/knowledge/schema";

type AgentRunRef = { workspaceId: string; runId: string; agentRunId: string };

/** Long names make long marks, and models copy long marks badly. */
const LONGEST_NAME = 80;
/** Passages of one place in documents of one name, e.g. in several bases, in one run. */
const MOST_ALIKE = 20;

/**
 * Keeps what an agent was shown, each passage once a run with the scores of the search that found it first, and gives each its mark. A passage keeps the mark it has; another one
 * that would get the same (a newer revision, a document of the same name) gets "~2". Safe for calls at the same time.
 */
export async function storeCitations(
  { workspaceId, runId, agentRunId }: AgentRunRef,
  hits: readonly SearchHit[],
): Promise<ReadonlyMap<string, string>> {
  const marks = new Map<string, string>();
  for (let attempt = 1; attempt <= MOST_ALIKE; attempt++) {
    const known = await pool().query<{ mark: string; chunkId: string }>(
      `SELECT mark, chunk_id AS "chunkId" FROM citations WHERE workspace_id = $1 AND run_id = $2 AND chunk_id = ANY($3::uuid[])
       ORDER BY mark`,
      [workspaceId, runId, hits.map(({ chunkId }) => chunkId)],
    );
    for (const { mark, chunkId } of known.rows) if (!marks.has(chunkId)) marks.set(chunkId, mark);
    const open = hits.filter(({ chunkId }) => !marks.has(chunkId));
    if (open.length === 0) return marks;
    await pool().query(
      `INSERT INTO citations (run_id, mark, workspace_id, agent_run_id, chunk_id, base_id, document_id, document_name,
         heading, page, text, scores)
       SELECT $1, c.mark, $2, $3, c.chunk_id, c.base_id, c.document_id, c.document_name, c.heading, c.page, c.text, c.scores::jsonb
       FROM unnest($4::text[], $5::uuid[], $6::uuid[], $7::uuid[], $8::text[], $9::text[], $10::int[], $11::text[], $12::text[])
         AS c (mark, chunk_id, base_id, document_id, document_name, heading, page, text, scores)
       ON CONFLICT DO NOTHING`,
      [
        ...[
          runId,
          workspaceId,
          agentRunId,
          open.map((hit) => markOf(hit, attempt)),
          open.map(({ chunkId }) => chunkId),
        ],
        ...[open.map(({ baseId }) => baseId), open.map(({ documentId }) => documentId)],
        ...[
          open.map(({ documentName }) => documentName),
          open.map(({ heading }) => heading),
          open.map(({ page }) => page),
        ],
        ...[open.map(({ text }) => text), open.map((hit) => JSON.stringify(scoresOf(hit)))],
      ],
    );
  }
  throw new Error(`more than ${MOST_ALIKE} passages of one name and place in a run`);
}

/** "handbook.pdf#12": without spaces and brackets, so that it can stand between brackets in running text. */
export function markOf({ documentName, position }: Pick<SearchHit, "documentName" | "position">, attempt = 1): string {
  const name = documentName.replace(/[\s[\]\p{C}]+/gu, "-");
  const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 12)}…${name.slice(-11)}` : name;
  return `${short}#${position + 1}${attempt > 1 ? `~${attempt}` : ""}`;
}

export function scoresOf({ vector, keyword, vectorRank, keywordRank, fused }: SearchHit): PassageScores {
  return { vector, keyword, vectorRank, keywordRank, fused };
}
