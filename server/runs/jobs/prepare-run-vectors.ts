import { pool } from "@/server/db";
import { TERMINAL_STATUSES } from "@/server/engine/state";
import { readByIndex } from "@/server/read-by-index";
import { vectorOrNull } from "@/server/retrieval/comparable-vectors";
import { BUILT_IN, isMade, isStillChosen, replacesStored } from "@/server/retrieval/compared-by";
import { type Comparable, prepareOf, startPreparing, VECTORS_A_BATCH } from "@/server/retrieval/prepare-vectors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { RUN_VECTOR_VERSION } from "../rules";

/** Of the task and of the answer: enough to tell what it was about. */
const LONGEST_PART = 2_000;

/** A run that has ended: before that its answer is not known. $1 says which statuses those are. */
const ENDED = "r.status = ANY($1::run_status[]) AND r.removing_at IS NULL";
const unmade = (by: { model: string; dims: string }) =>
  `NOT EXISTS (SELECT 1 FROM run_vectors v WHERE v.run_id = r.id AND ${isMade(RUN_VECTOR_VERSION, by)})`;

export const COMPARABLE_RUNS: Comparable = {
  noun: "runs",
  // By when they were started: one that took longer is found by the next look at all of them.
  recentMs: 2 * 60 * 60_000,

  async findWorkspaces(since) {
    const rows = await readByIndex<{ id: WorkspaceId }>(
      `SELECT w.id FROM workspaces w CROSS JOIN LATERAL (
         SELECT 1 FROM runs r WHERE r.workspace_id = w.id AND r.created_at >= $2 AND ${ENDED} AND ${unmade({ model: "$3", dims: "$4" })} LIMIT 1) d
       WHERE NOT EXISTS (SELECT 1 FROM finding_settings f WHERE f.workspace_id = w.id)`,
      [TERMINAL_STATUSES, since, BUILT_IN.model, BUILT_IN.dims],
    );
    return rows.map(({ id }) => id);
  },

  findUnprepared: (workspaceId, { model, dims }, { since, until }) =>
    readByIndex<{ id: string; at: Date }>(
      `SELECT r.id, r.created_at AS at FROM runs r
       WHERE r.workspace_id = $2 AND r.created_at >= $3 AND r.created_at <= coalesce($4, 'infinity'::timestamptz)
         AND ${ENDED} AND ${unmade({ model: "$6", dims: "$7" })}
       ORDER BY r.created_at DESC, r.id LIMIT $5`,
      [TERMINAL_STATUSES, workspaceId, since, until, VECTORS_A_BATCH, model, dims],
    ),

  async readParts(workspaceId, runIds) {
    const { rows } = await pool().query<{ id: string; input: string; answer: string }>(
      `SELECT id, left(input, ${LONGEST_PART}) AS input, coalesce(left(answer, ${LONGEST_PART}), '') AS answer
       FROM runs WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
      [workspaceId, runIds],
    );
    return new Map(
      rows.map(({ id, input, answer }) => [
        id,
        [
          { text: input, weight: 0.5 },
          { text: answer, weight: 0.5 },
        ],
      ]),
    );
  },

  async storeVectors(workspaceId, { model, dims }, made) {
    await pool().query(
      `INSERT INTO run_vectors (run_id, workspace_id, version, model, dims, refused, embedding)
       SELECT r.id, r.workspace_id, $4, $5, $6, x.embedding IS NULL, coalesce(x.embedding::vector, array_fill(0, ARRAY[$6::int])::vector)
       FROM unnest($2::uuid[], $3::text[]) AS x (id, embedding) JOIN runs r ON r.workspace_id = $1 AND r.id = x.id
       WHERE ${isStillChosen({ model: "$5", dims: "$6" })}
       ON CONFLICT (run_id) DO UPDATE SET version = excluded.version, model = excluded.model, dims = excluded.dims,
         refused = excluded.refused, embedding = excluded.embedding
         WHERE ${replacesStored("run_vectors")}`,
      [workspaceId, made.map(({ id }) => id), made.map(vectorOrNull), RUN_VECTOR_VERSION, model, dims],
    );
  },
};

/** Makes the vectors of runs that have ended, in the background until it is closed: no turn pays for it. */
export function startPreparingRuns(): { close(): Promise<void> } {
  return startPreparing(COMPARABLE_RUNS);
}

/** Makes the vectors that are missing since an instant, the newest first. Throws when it is closed. */
export function prepareRuns(workspaceId: WorkspaceId, since: Date, signal: AbortSignal): Promise<boolean> {
  return prepareOf(COMPARABLE_RUNS, workspaceId, since, signal);
}
