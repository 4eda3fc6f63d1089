import { pool } from "@/server/db";
import { readByIndex } from "@/server/read-by-index";
import { vectorOrNull } from "@/server/retrieval/comparable-vectors";
import { BUILT_IN, isMade, isStillChosen, replacesStored } from "@/server/retrieval/compared-by";
import { type Comparable, VECTORS_A_BATCH } from "@/server/retrieval/prepare-vectors";
import { findBlobs } from "@/server/runs/queries/blobs";
import type { OfferedOption } from "@/server/runs/schema";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { comparedParts, type DecisionWords, VECTOR_VERSION } from "../rules/compared-parts";

const unmade = (by: { model: string; dims: string }) =>
  `NOT EXISTS (SELECT 1 FROM decision_vectors v WHERE v.decision_id = d.id AND ${isMade(VECTOR_VERSION, by)})`;

export const COMPARABLE_DECISIONS: Comparable = {
  noun: "decisions",
  recentMs: 15 * 60_000,

  async findWorkspaces(since) {
    const rows = await readByIndex<{ id: WorkspaceId }>(
      `SELECT w.id FROM workspaces w CROSS JOIN LATERAL (
         SELECT 1 FROM decisions d WHERE d.workspace_id = w.id AND d.at >= $1 AND ${unmade({ model: "$2", dims: "$3" })} LIMIT 1) d
       WHERE NOT EXISTS (SELECT 1 FROM finding_settings f WHERE f.workspace_id = w.id)`,
      [since, BUILT_IN.model, BUILT_IN.dims],
    );
    return rows.map(({ id }) => id);
  },

  findUnprepared: (workspaceId, { model, dims }, { since, until }) =>
    readByIndex<{ id: string; at: Date }>(
      `SELECT d.id, d.at FROM decisions d
       WHERE d.workspace_id = $1 AND d.at >= $2 AND d.at <= coalesce($3, 'infinity'::timestamptz) AND ${unmade({ model: "$4", dims: "$5" })}
       ORDER BY d.at DESC, d.id LIMIT $6`,
      [workspaceId, since, until, model, dims, VECTORS_A_BATCH],
    ),

  async readParts(workspaceId, decisionIds) {
    const words = await readWords(workspaceId, decisionIds);
    return new Map([...words].map(([id, one]) => [id, comparedParts(one)]));
  },

  async storeVectors(workspaceId, { model, dims }, made) {
    await pool().query(
      `INSERT INTO decision_vectors (decision_id, workspace_id, kind, at, version, model, dims, refused, embedding)
       SELECT d.id, d.workspace_id, d.kind, d.at, $4, $5, $6, x.embedding IS NULL, coalesce(x.embedding::vector, array_fill(0, ARRAY[$6::int])::vector)
       FROM unnest($2::uuid[], $3::text[]) AS x (id, embedding) JOIN decisions d ON d.workspace_id = $1 AND d.id = x.id
       WHERE ${isStillChosen({ model: "$5", dims: "$6" })}
       ON CONFLICT (decision_id) DO UPDATE SET version = excluded.version, model = excluded.model, dims = excluded.dims,
         refused = excluded.refused, embedding = excluded.embedding
         WHERE ${replacesStored("decision_vectors")}`,
      [workspaceId, made.map(({ id }) => id), made.map(vectorOrNull), VECTOR_VERSION, model, dims],
    );
  },
};

type Row = { id: string; task: string; optionsHash: string | null; said: string | null };

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
