import { pool } from "@/server/db";
import { RUN_STATUSES, type RunStatus, TERMINAL_STATUSES } from "@/server/engine/state";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ListRunsInput, RunSummary } from "../schema";
import { SUMMARY_COLUMNS, SUMMARY_JOINS, type SummaryRecord, toRunSummary } from "./run-summary";

const ENDED: readonly RunStatus[] = TERMINAL_STATUSES;

/** Filters overlap on purpose: a run that waits is active as well, a failed one is finished as well. */
const STATUSES: Record<Exclude<ListRunsInput["status"], "all">, readonly RunStatus[]> = {
  active: RUN_STATUSES.filter((status) => !ENDED.includes(status)),
  waiting: ["waiting"],
  failed: ["failed", "interrupted"],
  finished: ENDED,
};

/**
 * A page of runs, newest first. Pages follow each other by (created_at, id), so runs that start meanwhile neither
 * repeat nor hide one. Throws INVALID for a cursor that is not ours.
 */
export async function listRuns(
  workspaceId: WorkspaceId,
  input: ListRunsInput,
): Promise<{ items: RunSummary[]; nextCursor: string | null }> {
  const values: unknown[] = [workspaceId];
  const conditions = ["workspace_id = $1"];
  const bind = (value: unknown) => `$${values.push(value)}`;

  if (input.status === "waiting") {
    // One agent may wait for a person while its siblings still work.
    conditions.push("(status = 'waiting' OR open_requests > 0)");
  } else if (input.status !== "all") {
    conditions.push(`status = ANY(${bind(STATUSES[input.status])}::run_status[])`);
  }
  if (input.search) {
    const pattern = bind(`%${input.search.replace(/[\\%_]/g, "\\$&")}%`);
    conditions.push(`(title ILIKE ${pattern} OR input ILIKE ${pattern})`);
  }
  if (input.cursor) {
    const after = parseCursor(input.cursor);
    const at = bind(after.createdAt);
    // The first half alone lets the index find the place; the second settles runs of the same millisecond.
    conditions.push(`created_at <= ${at} AND (created_at < ${at} OR id > ${bind(after.id)})`);
  }

  const { rows } = await pool().query<SummaryRecord>(
    `SELECT ${SUMMARY_COLUMNS}
     FROM (
       SELECT * FROM runs WHERE ${conditions.join(" AND ")}
       ORDER BY created_at DESC, id LIMIT ${bind(input.limit + 1)}
     ) r ${SUMMARY_JOINS}
     ORDER BY r.created_at DESC, r.id`,
    values,
  );
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return { items: page.map(toRunSummary), nextCursor: rows.length > input.limit && last ? toCursor(last) : null };
}

function toCursor(run: SummaryRecord): string {
  return `${run.created_at.getTime()}.${run.id}`;
}

function parseCursor(cursor: string): { createdAt: Date; id: string } {
  const [, time, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (!time || !id) throw new AppError("INVALID", "This page of runs no longer exists. Open the list again.");
  return { createdAt: new Date(Number(time)), id };
}
