import { pool } from "@/server/db";
import { readByIndex } from "@/server/read-by-index";
import { BUILT_IN_DIMS } from "@/server/retrieval/built-in-embedder";
import { VECTORS_A_BATCH } from "@/server/retrieval/prepare-vectors";
import { vectorOfParts, vectorText } from "@/server/retrieval/vector-of-parts";
import { findBlobs } from "@/server/runs/queries/blobs";
import type { OfferedOption } from "@/server/runs/schema";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { comparedParts, type DecisionWords, VECTOR_VERSION } from "../rules";

/** A decision without a vector, and where the next look goes on: at decisions not newer than this. */
type Unprepared = { id: string; at: Date };

/** The newest decisions of a workspace without a vector of today's kind, from `since` to `until`. */
export async function findUnprepared(
  workspaceId: WorkspaceId,
  { since, until }: { since: Date; until: Date | null },
): Promise<Unprepared[]> {
  return readByIndex<Unprepared>(
    `SELECT d.id, d.at FROM decisions d
     WHERE d.workspace_id = $1 AND d.at >= $2 AND d.at <= coalesce($3, 'infinity'::timestamptz)
       AND NOT EXISTS (SELECT 1 FROM decision_vectors v WHERE v.decision_id = d.id AND v.version >= $4)
     ORDER BY d.at DESC, d.id LIMIT $5`,
    [workspaceId, since, until, VECTOR_VERSION, VECTORS_A_BATCH],
  );
}

type Row = { id: string; task: string; optionsHash: string | null; said: string | null };

/**
 * Makes and stores the vectors of these decisions. Whoever else does so at the same time comes to the same; what is deleted meanwhile is
 * left out.
 */
export async function storeVectors(
  workspaceId: WorkspaceId,
  decisionIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const words = await readWords(workspaceId, decisionIds);
  const vectors = await Promise.all([...words.values()].map((one) => vectorOfParts(comparedParts(one), signal)));
  await pool().query(
    `INSERT INTO decision_vectors (decision_id, workspace_id, kind, at, version, dims, embedding)
     SELECT d.id, d.workspace_id, d.kind, d.at, $4, $5, x.embedding::vector
     FROM unnest($2::uuid[], $3::text[]) AS x (id, embedding)
     JOIN decisions d ON d.workspace_id = $1 AND d.id = x.id
     ON CONFLICT (decision_id) DO UPDATE SET version = excluded.version, dims = excluded.dims, embedding = excluded.embedding
       WHERE decision_vectors.version < excluded.version`,
    [...[workspaceId, [...words.keys()], vectors.map(vectorText)], ...[VECTOR_VERSION, BUILT_IN_DIMS]],
  );
}

/** The last thing said before it is the message before what its step said; what is large lies in a blob, whose beginning will do. */
async function readWords(
  workspaceId: WorkspaceId,
  decisionIds: readonly string[],
): Promise<Map<string, DecisionWords>> {
  const { rows } = await pool().query<Row>({
    name: "read_decision_words",
    text: `SELECT d.id, left(a.task, 4000) AS task, d.options_hash AS "optionsHash",
        coalesce(left(coalesce(nullif(m.content ->> 'content', ''), m.content ->> 'calls'), 4000), left(b.content, 4000)) AS said
      FROM decisions d JOIN agent_runs a ON a.workspace_id = d.workspace_id AND a.id = d.agent_run_id
      LEFT JOIN steps s ON s.agent_run_id = d.agent_run_id AND s.position = d.position
      LEFT JOIN LATERAL (
        SELECT m.content FROM messages m WHERE m.agent_run_id = d.agent_run_id AND m.role <> 'system'
          AND m.index < coalesce(s.request_messages, s.reply_message, 2147483647) ORDER BY m.index DESC LIMIT 1
      ) m ON true
      LEFT JOIN blobs b ON b.workspace_id = d.workspace_id AND b.hash = m.content ->> 'blob' AND b.part = 0
      WHERE d.workspace_id = $1 AND d.id = ANY($2::uuid[])`,
    values: [workspaceId, decisionIds],
  });
  const hashes = rows.flatMap(({ optionsHash }) => optionsHash ?? []);
  const options = new Map(
    [...(await findBlobs(workspaceId, hashes))].map(([hash, text]) => [hash, JSON.parse(text) as OfferedOption[]]),
  );
  return new Map(
    rows.map(({ id, task, optionsHash, said }) => [
      id,
      { task, said: said ?? "", options: options.get(optionsHash ?? "") ?? [] },
    ]),
  );
}
