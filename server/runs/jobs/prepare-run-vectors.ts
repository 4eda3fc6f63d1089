import { pool } from "@/server/db";
import { TERMINAL_STATUSES } from "@/server/engine/state";
import { readByIndex } from "@/server/read-by-index";
import { BUILT_IN_DIMS } from "@/server/retrieval/built-in-embedder";
import { type Comparable, prepareOf, startPreparing, VECTORS_A_BATCH } from "@/server/retrieval/prepare-vectors";
import { vectorOfParts, vectorText } from "@/server/retrieval/vector-of-parts";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { RUN_VECTOR_VERSION } from "../rules";

/** Of the task and of the answer: enough to tell what it was about. */
const LONGEST_PART = 2_000;

/** A run without a vector, once it has ended: before that its answer is not known. $1 says which statuses those are. */
const UNPREPARED = `r.status = ANY($1::run_status[]) AND r.removing_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM run_vectors v WHERE v.run_id = r.id AND v.version >= ${RUN_VECTOR_VERSION})`;

const RUNS: Comparable = {
  noun: "runs",
  // By when they were started: one that took longer is found by the next look at all of them.
  recentMs: 2 * 60 * 60_000,

  async findWorkspaces(since) {
    const rows = await readByIndex<{ id: WorkspaceId }>(
      `SELECT w.id FROM workspaces w CROSS JOIN LATERAL (
         SELECT 1 FROM runs r WHERE r.workspace_id = w.id AND r.created_at >= $2 AND ${UNPREPARED} LIMIT 1) d`,
      [TERMINAL_STATUSES, since],
    );
    return rows.map(({ id }) => id);
  },

  findUnprepared: (workspaceId, { since, until }) =>
    readByIndex<{ id: string; at: Date }>(
      `SELECT r.id, r.created_at AS at FROM runs r
       WHERE r.workspace_id = $2 AND r.created_at >= $3 AND r.created_at <= coalesce($4, 'infinity'::timestamptz) AND ${UNPREPARED}
       ORDER BY r.created_at DESC, r.id LIMIT $5`,
      [TERMINAL_STATUSES, workspaceId, since, until, VECTORS_A_BATCH],
    ),

  async storeVectors(workspaceId, runIds, signal) {
    const { rows } = await pool().query<{ id: string; input: string; answer: string }>(
      `SELECT id, left(input, ${LONGEST_PART}) AS input, coalesce(left(answer, ${LONGEST_PART}), '') AS answer
       FROM runs WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
      [workspaceId, runIds],
    );
    const vectors = await Promise.all(
      rows.map(({ input, answer }) =>
        vectorOfParts(
          [
            { text: input, weight: 0.5 },
            { text: answer, weight: 0.5 },
          ],
          signal,
        ),
      ),
    );
    await pool().query(
      `INSERT INTO run_vectors (run_id, workspace_id, version, dims, embedding)
       SELECT r.id, r.workspace_id, $4, $5, x.embedding::vector
       FROM unnest($2::uuid[], $3::text[]) AS x (id, embedding) JOIN runs r ON r.workspace_id = $1 AND r.id = x.id
       ON CONFLICT (run_id) DO UPDATE SET version = excluded.version, dims = excluded.dims, embedding = excluded.embedding
         WHERE run_vectors.version < excluded.version`,
      [workspaceId, rows.map(({ id }) => id), vectors.map(vectorText), RUN_VECTOR_VERSION, BUILT_IN_DIMS],
    );
  },
};

/** Makes the vectors of runs that have ended, in the background until it is closed: no turn pays for it. */
export function startPreparingRuns(): { close(): Promise<void> } {
  return startPreparing(RUNS);
}

/** Makes the vectors that are missing since an instant, the newest first. Throws when it is closed. */
export function prepareRuns(workspaceId: WorkspaceId, since: Date, signal: AbortSignal): Promise<void> {
  return prepareOf(RUNS, workspaceId, since, signal);
}
