import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { DeadLetterView, ListDeadLettersInput } from "./schema";

type Row = Omit<DeadLetterView, "at" | "changedAt"> & { at: Date; changedAt: Date | null };

const COLUMNS = `d.id, d.run_id AS "runId", r.title AS "runTitle", d.agent_run_id AS "agentRunId", a.name AS "agentName", d.position,
  d.kind, d.operation, d.code, d.stable_code AS "stableCode", d.category, d.message, d.arguments, d.repeats, d.status, d.result, d.note,
  u.name AS "changedBy", d.changed_at AS "changedAt", d.at`;
const JOINS = `JOIN runs r ON r.workspace_id = d.workspace_id AND r.id = d.run_id
  JOIN agent_runs a ON a.workspace_id = d.workspace_id AND a.id = d.agent_run_id LEFT JOIN users u ON u.id = d.changed_by_id`;

/** A page of dead letters, newest first (AGT-RES-13). Throws INVALID for a cursor that is not ours. */
export async function listDeadLetters(
  workspaceId: WorkspaceId,
  { status, operation, code, search, cursor, limit }: ListDeadLettersInput,
): Promise<{ items: DeadLetterView[]; nextCursor: string | null }> {
  const values: unknown[] = [workspaceId];
  const conditions = ["workspace_id = $1"];
  const bind = (value: unknown) => `$${values.push(value)}`;
  // What is being made again is not done with.
  if (status !== "all") {
    const shown = status === "open" ? ["open", "requested", "replaying"] : [status];
    conditions.push(`status = ANY (${bind(shown)}::text[])`);
  }
  if (operation) conditions.push(`operation = ${bind(operation)}`);
  if (code) {
    const named = bind(code);
    conditions.push(`(code = ${named} OR stable_code = ${named})`);
  }
  if (search) {
    const pattern = bind(`%${search.replace(/[\\%_]/g, "\\$&")}%`);
    conditions.push(`(message ILIKE ${pattern} OR operation ILIKE ${pattern} OR arguments ILIKE ${pattern})`);
  }
  if (cursor) {
    const [, time, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
    if (!time || !id) throw new AppError("INVALID", "This page of dead letters no longer exists. Open the list again.");
    const at = bind(new Date(Number(time)));
    conditions.push(`at <= ${at} AND (at < ${at} OR id > ${bind(id)})`);
  }
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS} FROM (SELECT * FROM dead_letters WHERE ${conditions.join(" AND ")} ORDER BY at DESC, id LIMIT ${bind(limit + 1)}) d
     ${JOINS} ORDER BY d.at DESC, d.id`,
    values,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(toView),
    nextCursor: rows.length > limit && last ? `${last.at.getTime()}.${last.id}` : null,
  };
}

/** Throws NOT_FOUND. */
export async function getDeadLetter(workspaceId: WorkspaceId, deadLetterId: string): Promise<DeadLetterView> {
  const { rows } = await pool().query<Row>(
    `SELECT ${COLUMNS} FROM dead_letters d ${JOINS} WHERE d.workspace_id = $1 AND d.id = $2`,
    [workspaceId, deadLetterId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "There is no such dead letter. It may have gone with its run.");
  return toView(rows[0]);
}

function toView({ at, changedAt, ...row }: Row): DeadLetterView {
  return { ...row, at: at.toISOString(), changedAt: changedAt?.toISOString() ?? null };
}
