import { AppError } from "@/server/errors";
import { readByIndex } from "@/server/read-by-index";
import { cosine, isOf } from "@/server/retrieval/compared-by";
import { COMPARED, pageFrom, placeOf } from "@/server/retrieval/ranked-pages";
import { searchVector } from "@/server/retrieval/search-vector";
import { toInstant } from "@/server/runs/queries/instant";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { VECTOR_VERSION } from "../rules/compared-parts";
import type { DecisionSummary, ListDecisionsInput } from "../schema";
import { filterDecisions } from "./filter-decisions";
import { IMPORTED, OUTCOME, STANDING_LABELS } from "./outcome";

/** Of a reason, in a list. */
const REASON_SHOWN = 400;

/** Columns of a summary, of decisions `d` of the workspace $1, and what they need beside them. */
export const SUMMARY_COLUMNS = `d.id, d.run_id AS "runId", r.title AS "runTitle", a.name AS "agentName", d.kind, d.chosen,
  left(d.reason, ${REASON_SHOWN}) AS reason, d.source, ${OUTCOME} AS outcome, ${STANDING_LABELS} AS labels, d.at,
  ${IMPORTED} AS "isImported"`;
/** By id alone, which names the workspace as well: where nothing gathers statistics, all rows of the workspace would be looked at for each. */
export const SUMMARY_JOINS = "JOIN runs r ON r.id = d.run_id JOIN agent_runs a ON a.id = d.agent_run_id";
export type SummaryColumns = Omit<DecisionSummary, "at"> & { at: Date };

/**
 * A page of decisions across runs, newest first; or, by likeness, the situations most like the words that are searched for. Pages follow each other by (at, id), so what is decided meanwhile neither repeats nor
 * hides one. Throws INVALID for a cursor that is not ours, NOT_READY when the model that finds by meaning does not answer.
 */
export async function listDecisions(
  workspaceId: WorkspaceId,
  { cursor, limit, direction: _, ...filters }: ListDecisionsInput,
): Promise<{ items: DecisionSummary[]; nextCursor: string | null }> {
  if (filters.rank && filters.search) return rankDecisions(workspaceId, { ...filters, cursor, limit });
  const { conditions, values, bind } = filterDecisions(workspaceId, filters);
  if (cursor) {
    const after = parseCursor(cursor);
    const at = bind(after.at);
    // The first half alone lets the index find the place; the second settles decisions of the same millisecond.
    conditions.unshift(`d.at <= ${at} AND (d.at < ${at} OR d.id > ${bind(after.id)})`);
  }
  const rows = await readByIndex<SummaryColumns>(
    `SELECT ${SUMMARY_COLUMNS} FROM (
       SELECT * FROM decisions d WHERE ${conditions.join(" AND ")} ORDER BY d.at DESC, d.id LIMIT ${bind(limit + 1)}
     ) d ${SUMMARY_JOINS} ORDER BY d.at DESC, d.id`,
    values,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(toSummary),
    nextCursor: rows.length > limit && last ? `${last.at.getTime()}.${last.id}` : null,
  };
}

/** The most alike among the newest of the filter whose vector is made, the most alike first. Vectors have length 1, so the inner product is the cosine. */
async function rankDecisions(
  workspaceId: WorkspaceId,
  { cursor, limit, search, ...filters }: Omit<ListDecisionsInput, "direction">,
): Promise<{ items: DecisionSummary[]; nextCursor: string | null }> {
  const place = placeOf(cursor);
  const { conditions, values, bind } = filterDecisions(workspaceId, { ...filters, search: "" });
  const { text, model, dims, least } = await searchVector(workspaceId, search);
  const by = { model: bind(model), dims: bind(dims) };
  const rows = await readByIndex<SummaryColumns & { similarity: number }>(
    `WITH candidates AS MATERIALIZED (
       SELECT d.id FROM decisions d WHERE ${conditions.join(" AND ")} ORDER BY d.at DESC, d.id LIMIT ${COMPARED}
     ), alike AS MATERIALIZED (
       SELECT * FROM (SELECT v.decision_id, ${cosine("v.embedding", { dims: by.dims, wanted: bind(text) })} AS similarity FROM candidates c
         JOIN decision_vectors v ON v.decision_id = c.id AND ${isOf(VECTOR_VERSION, by)}) x
       WHERE x.similarity >= ${bind(least)} ORDER BY x.similarity DESC, x.decision_id LIMIT ${bind(limit + 1)} OFFSET ${bind(place)}
     )
     SELECT ${SUMMARY_COLUMNS}, least(1, x.similarity) AS similarity FROM alike x JOIN decisions d ON d.workspace_id = $1 AND d.id = x.decision_id ${SUMMARY_JOINS}
     ORDER BY x.similarity DESC, x.decision_id`,
    values,
  );
  return pageFrom(rows.map(toSummary), place, limit);
}

function toSummary(row: SummaryColumns): DecisionSummary {
  return { ...row, at: toInstant(row.at) };
}

function parseCursor(cursor: string): { at: Date; id: string } {
  const [, time, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (!time || !id) throw new AppError("INVALID", "This page of decisions no longer exists. Open the list again.");
  return { at: new Date(Number(time)), id };
}
