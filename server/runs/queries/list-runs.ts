import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { pageFrom, placeOf } from "@/server/retrieval/ranked-pages";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ListRunsInput } from "../list-schema";
import type { RunSummary } from "../schema";
import { isRanked, rankRuns } from "./rank-runs";
import { runConditions } from "./run-conditions";
import { SUMMARY_COLUMNS, SUMMARY_JOINS, type SummaryRecord, toRunSummary } from "./run-summary";

/**
 * A page of runs, newest first; or, by likeness, those whose task and answer are most like the words that are searched for. Pages follow each other by (created_at, id), so runs that start meanwhile neither
 * repeat nor hide one. Throws INVALID for a cursor that is not ours, NOT_READY when the model that finds by meaning does not answer.
 */
export async function listRuns(
  workspaceId: WorkspaceId,
  input: ListRunsInput,
): Promise<{ items: RunSummary[]; nextCursor: string | null }> {
  if (isRanked(input)) return listRanked(workspaceId, input);
  const values: unknown[] = [workspaceId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = runConditions(input, bind);
  if (input.cursor) {
    const after = parseCursor(input.cursor);
    const at = bind(after.createdAt);
    // The first half alone lets the index find the place; the second settles runs of the same millisecond.
    conditions.push(`r.created_at <= ${at} AND (r.created_at < ${at} OR r.id > ${bind(after.id)})`);
  }

  const { rows } = await pool().query<SummaryRecord>(
    `SELECT ${SUMMARY_COLUMNS}
     FROM (
       SELECT * FROM runs r WHERE ${conditions.join(" AND ")}
       ORDER BY r.created_at DESC, r.id LIMIT ${bind(input.limit + 1)}
     ) r ${SUMMARY_JOINS}
     ORDER BY r.created_at DESC, r.id`,
    values,
  );
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return { items: page.map(toRunSummary), nextCursor: rows.length > input.limit && last ? toCursor(last) : null };
}

async function listRanked(
  workspaceId: WorkspaceId,
  input: ListRunsInput,
): Promise<{ items: RunSummary[]; nextCursor: string | null }> {
  const place = placeOf(input.cursor);
  const ranked = await rankRuns(workspaceId, input, { place, limit: input.limit + 1 });
  const { rows } = await pool().query<SummaryRecord & { similarity: number }>(
    `SELECT ${SUMMARY_COLUMNS}, x.similarity
     FROM unnest($2::uuid[], $3::float8[]) WITH ORDINALITY AS x (id, similarity, nth)
     JOIN runs r ON r.workspace_id = $1 AND r.id = x.id ${SUMMARY_JOINS} ORDER BY x.nth`,
    [workspaceId, ranked.map(({ id }) => id), ranked.map(({ similarity }) => similarity)],
  );
  return pageFrom(
    rows.map((row) => ({ ...toRunSummary(row), similarity: row.similarity })),
    place,
    input.limit,
  );
}

function toCursor(run: SummaryRecord): string {
  return `${run.created_at.getTime()}.${run.id}`;
}

function parseCursor(cursor: string): { createdAt: Date; id: string } {
  const [, time, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (!time || !id) throw new AppError("INVALID", "This page of runs no longer exists. Open the list again.");
  return { createdAt: new Date(Number(time)), id };
}
