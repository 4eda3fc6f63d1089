import { pool } from "@/server/db";
import type { RequestView } from "@/server/engine/events";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";

/** Columns of a request `q` in the shape of its view; the mapper settles instants and answers. */
export const REQUEST_COLUMNS = `
  q.id, q.run_id AS "runId", q.agent_run_id AS "agentRunId", qa.name AS "agentName", q.position, q.kind, q.prompt,
  q.options, q.call, q.deadline_at AS "deadlineAt", q.default_answer AS "defaultAnswer", q.status, q.answer,
  qu.name AS "answeredBy", q.answered_at AS "answeredAt", q.created_at AS "createdAt"`;

export const REQUEST_JOINS = `
  JOIN agent_runs qa ON qa.workspace_id = q.workspace_id AND qa.id = q.agent_run_id
  LEFT JOIN users qu ON qu.id = q.answered_by_id`;

export type RequestRecord = Omit<
  RequestView,
  "defaultAnswer" | "answer" | "deadlineAt" | "answeredAt" | "createdAt"
> & {
  defaultAnswer: unknown;
  answer: unknown;
  deadlineAt: Date | string | null;
  answeredAt: Date | string | null;
  createdAt: Date | string;
};

export function toRequestView(row: RequestRecord): RequestView {
  return {
    id: row.id,
    runId: row.runId,
    agentRunId: row.agentRunId,
    agentName: row.agentName,
    position: row.position,
    kind: row.kind,
    prompt: row.prompt,
    options: row.options,
    call: row.call,
    deadlineAt: row.deadlineAt === null ? null : new Date(row.deadlineAt).toISOString(),
    defaultAnswer: toText(row.defaultAnswer),
    status: row.status,
    answer: toText(row.answer),
    answeredBy: row.answeredBy,
    answeredAt: row.answeredAt === null ? null : new Date(row.answeredAt).toISOString(),
    createdAt: new Date(row.createdAt).toISOString(),
  };
}

/** Answers are JSON in the database, because a request may ask for more than words; people read text. */
function toText(answer: unknown): string | null {
  if (answer === null || answer === undefined) return null;
  return typeof answer === "string" ? answer : JSON.stringify(answer);
}

/** Throws NOT_FOUND. */
export async function getRequest(workspaceId: WorkspaceId, requestId: string): Promise<RequestView> {
  const { rows } = await pool().query<RequestRecord>(
    `SELECT ${REQUEST_COLUMNS} FROM human_requests q ${REQUEST_JOINS} WHERE q.workspace_id = $1 AND q.id = $2`,
    [workspaceId, requestId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "This request does not exist, or it is in another workspace.");
  return toRequestView(rows[0]);
}

/** The inbox: open requests, nearest deadline first, then oldest first; `total` counts all that are open. */
export async function listOpenRequests(
  workspaceId: WorkspaceId,
  input: { limit: number },
): Promise<{ items: (RequestView & { runTitle: string })[]; total: number }> {
  const { rows } = await pool().query<RequestRecord & { runTitle: string; total: number }>(
    `SELECT ${REQUEST_COLUMNS}, r.title AS "runTitle", (count(*) OVER ())::int AS total
     FROM human_requests q ${REQUEST_JOINS}
     JOIN runs r ON r.workspace_id = q.workspace_id AND r.id = q.run_id
     WHERE q.workspace_id = $1 AND q.status = 'open'
     ORDER BY q.deadline_at NULLS LAST, q.created_at, q.id LIMIT $2`,
    [workspaceId, input.limit],
  );
  return {
    items: rows.map((row) => ({ ...toRequestView(row), runTitle: row.runTitle })),
    total: rows[0]?.total ?? 0,
  };
}
