import { pool } from "@/server/db";
import type { EntryKind } from "@/server/knowledge/entry-schema";
import type { QueryTerm } from "./terms";

/** How fast repeated words stop counting, and how much long passages are held back (RAG-BM25-01). */
const K1 = 1.2;
const B = 0.75;

/** What either side found. */
export type Found = { chunkId: string; baseId: string; documentId: string; score: number };

/** Chunks of documents whose newest revision is not searched yet: older ones that are live stay found, the rest is hidden. */
export const HIDDEN_CHUNKS = `
  SELECT c.id FROM documents d JOIN chunks c ON c.document_id = d.id AND c.revision <> d.live_revision
  WHERE d.workspace_id = $1 AND d.base_id = ANY($2::uuid[]) AND d.revision <> d.live_revision`;

/** Live chunks of entries of one kind; `kind` is the parameter that names it. */
export const chunksOfKind = (kind: string) => `
  SELECT c.id FROM documents d JOIN chunks c ON c.document_id = d.id AND c.revision = d.live_revision
  WHERE d.workspace_id = $1 AND d.base_id = ANY($2::uuid[]) AND d.entry_kind = ${kind}`;

/**
 * Exact Okapi BM25 with idf ln(1 + (N - df + 0.5) / (df + 0.5)), best first, ties by chunk. Several bases count as one collection:
 * chunks, average length and document frequencies are taken over all of them, so that their scores can be compared. Of a kind,
 * the passages are ranked that are of it; how rare a word is stays what it is in the whole collection.
 */
export async function searchKeywords(
  workspaceId: string,
  baseIds: readonly string[],
  terms: readonly QueryTerm[],
  limit: number,
  entryKind?: EntryKind,
): Promise<Found[]> {
  if (terms.length === 0) return [];
  const { rows } = await pool().query<Found>({
    name: entryKind === undefined ? "knowledge_bm25" : "knowledge_bm25_of_kind",
    text: `WITH collection AS (
        SELECT sum(chunk_count)::float8 AS chunks, sum(term_count)::float8 / nullif(sum(chunk_count), 0) AS average_length,
          array_agg(id) AS bases
        FROM knowledge_bases WHERE workspace_id = $1 AND id = ANY($2::uuid[])
      ), hidden AS MATERIALIZED (${HIDDEN_CHUNKS}
      ), matched AS MATERIALIZED (
        SELECT q.weight, p.term, p.chunk_id, p.frequency, p.length
        FROM collection, unnest($3::text[], $4::float8[]) AS q (term, weight)
        JOIN postings p ON p.base_id = ANY($2::uuid[]) AND p.term = q.term
        WHERE p.base_id = ANY(collection.bases) AND p.chunk_id NOT IN (SELECT id FROM hidden)
      ), rarity AS (
        SELECT term, ln(1 + (max(collection.chunks) - count(*) + 0.5) / (count(*) + 0.5)) AS idf
        FROM matched, collection GROUP BY term
      ), best AS (
        SELECT m.chunk_id, sum(m.weight * r.idf * m.frequency * (${K1} + 1.0)
          / (m.frequency + ${K1} * (1 - ${B} + ${B} * m.length / collection.average_length))) AS score
        FROM matched m JOIN rarity r USING (term), collection
        ${entryKind === undefined ? "" : `WHERE m.chunk_id IN (${chunksOfKind("$6")})`}
        GROUP BY m.chunk_id ORDER BY score DESC, m.chunk_id LIMIT $5
      )
      SELECT c.id AS "chunkId", c.base_id AS "baseId", c.document_id AS "documentId", best.score
      FROM best JOIN chunks c ON c.id = best.chunk_id ORDER BY best.score DESC, c.id`,
    values: [
      ...[workspaceId, baseIds, terms.map(({ term }) => term), terms.map(({ weight }) => weight), limit],
      ...(entryKind === undefined ? [] : [entryKind]),
    ],
  });
  return rows;
}
