import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { readByIndex } from "@/server/read-by-index";
import { type ComparedBy, comparedBy, cosine, isOf } from "@/server/retrieval/compared-by";
import { toInstant } from "@/server/runs/queries/instant";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { VECTOR_VERSION } from "../rules/compared-parts";
import type { Precedent, Precedents, PrecedentsInput } from "../schema";
import { SUMMARY_COLUMNS, SUMMARY_JOINS, type SummaryColumns } from "./list-decisions";
import { IMPORTED, KEPT_OF_ANOTHER_RUN } from "./outcome";

/** The newest earlier ones of a kind that are compared, each of them exactly: somebody waits. */
const COMPARED = 10_000;
const SHOWN = 10;

/** $1 to $5: of which workspace and kind, before when, by which model. */
const EARLIER = `v.workspace_id = $1 AND v.kind = $2 AND v.at < $3 AND ${isOf(VECTOR_VERSION, { model: "$4", dims: "$5" })}`;

type Reference = { kind: string; at: Date; state: Precedents["state"] };
type Row = SummaryColumns & { similarity: number; total: number };

/**
 * Earlier decisions of the workspace's own runs that are like one: of its kind, with a cosine of at least the threshold, the most similar first
 * (INT-CTX-09). Vectors have length 1, so the inner product is the cosine. Throws NOT_FOUND.
 */
export async function findPrecedents(
  workspaceId: WorkspaceId,
  { decisionId, threshold }: PrecedentsInput,
): Promise<Precedents> {
  const by = await comparedBy(workspaceId);
  const { kind, at, state } = await findReference(workspaceId, decisionId, by);
  if (state !== "prepared") return { state, items: [], total: 0, compared: 0, isCut: false };
  const earlier = [workspaceId, kind, at, by.model, by.dims];
  const [counted, rows] = await Promise.all([
    countEarlier(earlier),
    readByIndex<Row>(
      `WITH reference AS MATERIALIZED (SELECT embedding FROM decision_vectors WHERE workspace_id = $1 AND decision_id = $6
       ), compared AS MATERIALIZED (
         SELECT v.decision_id, ${cosine("v.embedding", { dims: "$5", wanted: "(SELECT embedding FROM reference)" })} AS similarity
         FROM (SELECT v.decision_id, v.dims, v.embedding FROM decision_vectors v
           WHERE ${EARLIER} ORDER BY v.at DESC LIMIT ${COMPARED}) v
       ), alike AS (
         SELECT d.*, c.similarity, (count(*) OVER ())::int AS total
         FROM compared c JOIN decisions d ON d.workspace_id = $1 AND d.id = c.decision_id
         WHERE c.similarity >= $7 AND NOT ${KEPT_OF_ANOTHER_RUN} AND NOT ${IMPORTED} ORDER BY c.similarity DESC, d.at DESC, d.id LIMIT ${SHOWN})
       SELECT ${SUMMARY_COLUMNS}, d.similarity, d.total FROM alike d ${SUMMARY_JOINS} ORDER BY d.similarity DESC, d.at DESC, d.id`,
      [...earlier, decisionId, threshold],
    ),
  ]);
  return {
    state,
    items: rows.map(toPrecedent),
    total: rows[0]?.total ?? 0,
    compared: Math.min(counted, COMPARED),
    isCut: counted > COMPARED,
  };
}

async function findReference(workspaceId: WorkspaceId, decisionId: string, by: ComparedBy): Promise<Reference> {
  const { rows } = await pool().query<Reference>(
    `SELECT d.kind, d.at, CASE WHEN v.refused THEN 'refused' WHEN v.decision_id IS NULL THEN 'waiting' ELSE 'prepared' END AS state
     FROM decisions d LEFT JOIN decision_vectors v
       ON v.decision_id = d.id AND v.version = ${VECTOR_VERSION} AND v.model = $3 AND v.dims = $4
     WHERE d.workspace_id = $1 AND d.id = $2`,
    [workspaceId, decisionId, by.model, by.dims],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "There is no such decision. It may have gone with its run.");
  return rows[0];
}

async function countEarlier(earlier: readonly unknown[]): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM decision_vectors v
       WHERE ${EARLIER} LIMIT ${COMPARED + 1}) e`,
    [...earlier],
  );
  return rows[0]?.count ?? 0;
}

function toPrecedent({ at, total: _, reason: __, source: ___, isImported: ____, similarity, ...row }: Row): Precedent {
  return { ...row, at: toInstant(at), similarity: Math.min(1, Math.max(0, similarity)) };
}
