import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { readByIndex } from "@/server/read-by-index";
import { toInstant } from "@/server/runs/queries/instant";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { Precedent, Precedents, PrecedentsInput } from "../schema";
import { SUMMARY_COLUMNS, SUMMARY_JOINS, type SummaryColumns } from "./list-decisions";
import { IMPORTED, KEPT_OF_ANOTHER_RUN } from "./outcome";

/** The newest earlier ones of a kind that are compared, each of them exactly: somebody waits. */
const COMPARED = 10_000;
const SHOWN = 10;

type Reference = { kind: string; at: Date; version: number | null };
type Row = SummaryColumns & { similarity: number; total: number };

/**
 * Earlier decisions of the workspace's own runs that are like one: of its kind, with a cosine of at least the threshold, the most similar first
 * (INT-CTX-09). Vectors have length 1, so the inner product is the cosine. Throws NOT_FOUND.
 */
export async function findPrecedents(
  workspaceId: WorkspaceId,
  { decisionId, threshold }: PrecedentsInput,
): Promise<Precedents> {
  const { kind, at, version } = await findReference(workspaceId, decisionId);
  if (version === null) return { isPrepared: false, items: [], total: 0, compared: 0, isCut: false };
  const earlier = [workspaceId, kind, at, version];
  const [counted, rows] = await Promise.all([
    countEarlier(earlier),
    readByIndex<Row>(
      `WITH reference AS MATERIALIZED (SELECT embedding FROM decision_vectors WHERE workspace_id = $1 AND decision_id = $5
       ), compared AS MATERIALIZED (
         SELECT v.decision_id, -(v.embedding <#> (SELECT embedding FROM reference)) AS similarity
         FROM (SELECT decision_id, embedding FROM decision_vectors
           WHERE workspace_id = $1 AND kind = $2 AND at < $3 AND version = $4 ORDER BY at DESC LIMIT ${COMPARED}) v
       ), alike AS (
         SELECT d.*, c.similarity, (count(*) OVER ())::int AS total
         FROM compared c JOIN decisions d ON d.workspace_id = $1 AND d.id = c.decision_id
         WHERE c.similarity >= $6 AND NOT ${KEPT_OF_ANOTHER_RUN} AND NOT ${IMPORTED} ORDER BY c.similarity DESC, d.at DESC, d.id LIMIT ${SHOWN})
       SELECT ${SUMMARY_COLUMNS}, d.similarity, d.total FROM alike d ${SUMMARY_JOINS} ORDER BY d.similarity DESC, d.at DESC, d.id`,
      [...earlier, decisionId, threshold],
    ),
  ]);
  return {
    isPrepared: true,
    items: rows.map(toPrecedent),
    total: rows[0]?.total ?? 0,
    compared: Math.min(counted, COMPARED),
    isCut: counted > COMPARED,
  };
}

async function findReference(workspaceId: WorkspaceId, decisionId: string): Promise<Reference> {
  const { rows } = await pool().query<Reference>(
    `SELECT d.kind, d.at, v.version FROM decisions d LEFT JOIN decision_vectors v ON v.decision_id = d.id
     WHERE d.workspace_id = $1 AND d.id = $2`,
    [workspaceId, decisionId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "There is no such decision. It may have gone with its run.");
  return rows[0];
}

async function countEarlier(earlier: readonly unknown[]): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM decision_vectors
       WHERE workspace_id = $1 AND kind = $2 AND at < $3 AND version = $4 LIMIT ${COMPARED + 1}) e`,
    [...earlier],
  );
  return rows[0]?.count ?? 0;
}

function toPrecedent({ at, total: _, reason: __, source: ___, isImported: ____, similarity, ...row }: Row): Precedent {
  return { ...row, at: toInstant(at), similarity: Math.min(1, Math.max(0, similarity)) };
}
