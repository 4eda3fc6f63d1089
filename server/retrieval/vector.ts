import { pool } from "@/server/db";
import type { EntryKind } from "@/server/knowledge/entry-schema";
import { chunksOfKind, type Found, HIDDEN_CHUNKS } from "./bm25";

/**
 * The chunks nearest to a vector, all or those of one kind, best first, ties by chunk. Exact: every vector of each base's named generation is compared.
 * Vectors have length 1, so the inner product is the cosine; a text without any feature is at right angles to everything.
 */
export async function searchVectors(
  workspaceId: string,
  bases: readonly { id: string; generation: number }[],
  vector: readonly number[],
  limit: number,
  entryKind?: EntryKind,
): Promise<Found[]> {
  const { rows } = await pool().query<Found>({
    name: entryKind === undefined ? "knowledge_vectors" : "knowledge_vectors_of_kind",
    text: `WITH hidden AS MATERIALIZED (${HIDDEN_CHUNKS}
      ), best AS (
      SELECT e.chunk_id, -(e.embedding <#> $3::vector) AS cosine
      FROM unnest($2::uuid[], $6::int[]) AS g (base_id, generation)
      JOIN knowledge_bases b ON b.workspace_id = $1 AND b.id = g.base_id
      JOIN chunk_embeddings e ON e.base_id = b.id AND e.generation = g.generation AND e.dims = $4
      WHERE e.chunk_id NOT IN (SELECT id FROM hidden)
        ${entryKind === undefined ? "" : `AND e.chunk_id IN (${chunksOfKind("$7")})`}
      ORDER BY e.embedding <#> $3::vector, e.chunk_id LIMIT $5
      )
      SELECT c.id AS "chunkId", c.base_id AS "baseId", c.document_id AS "documentId", least(1, greatest(-1, best.cosine)) AS score
      FROM best JOIN chunks c ON c.id = best.chunk_id ORDER BY best.cosine DESC, c.id`,
    values: [
      ...[workspaceId, bases.map(({ id }) => id), `[${vector.join(",")}]`, vector.length, limit],
      ...[bases.map(({ generation }) => generation), ...(entryKind === undefined ? [] : [entryKind])],
    ],
  });
  return rows;
}
