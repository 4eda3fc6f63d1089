import { pool } from "@/server/db";
import { answerKindOf } from "@/server/engine/answer-schema";
import { type Answer, type RequestView, requestAnswer } from "@/server/engine/events";
import { AppError } from "@/server/errors";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import type { ListRequestsInput } from "./schema";

/** Columns of a request `q` in the shape of its view; the mapper settles instants and answers. */
export const REQUEST_COLUMNS = `
  q.id, q.run_id AS "runId", q.agent_run_id AS "agentRunId", qa.name AS "agentName", q.position, q.kind, q.prompt,
  q.options, q.schema, q.call, q.deadline_at AS "deadlineAt", q.default_answer AS "defaultAnswer", q.status, q.answer,
  coalesce(qu.name, qg.name, q.answered_by_name) AS "answeredBy", q.answered_by_agent_id AS "answeredByAgentId", q.escalated_until AS "escalatedUntil",
  q.assignee_id AS "assigneeId", qs.name AS "assigneeName", q.answered_at AS "answeredAt", q.created_at AS "createdAt"`;

export const REQUEST_JOINS = `
  JOIN agent_runs qa ON qa.workspace_id = q.workspace_id AND qa.id = q.agent_run_id
  LEFT JOIN users qs ON qs.id = q.assignee_id
  LEFT JOIN users qu ON qu.id = q.answered_by_id
  LEFT JOIN agent_runs qg ON qg.workspace_id = q.workspace_id AND qg.id = q.answered_by_agent_id`;

export type RequestRecord = Omit<
  RequestView,
  "answerKind" | "defaultAnswer" | "answer" | "deadlineAt" | "answeredAt" | "escalatedUntil" | "assignee" | "createdAt"
> & {
  assigneeId: string | null;
  assigneeName: string | null;
  schema: unknown;
  defaultAnswer: unknown;
  answer: unknown;
  deadlineAt: Date | string | null;
  answeredAt: Date | string | null;
  escalatedUntil: Date | string | null;
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
    answerKind: answerKindOf(row.schema),
    call: row.call,
    deadlineAt: row.deadlineAt === null ? null : new Date(row.deadlineAt).toISOString(),
    defaultAnswer: toAnswer(row.defaultAnswer),
    status: row.status,
    answer: toAnswer(row.answer),
    answeredBy: row.answeredBy,
    answeredAt: row.answeredAt === null ? null : new Date(row.answeredAt).toISOString(),
    answeredByAgentId: row.answeredByAgentId,
    escalatedUntil: row.escalatedUntil === null ? null : new Date(row.escalatedUntil).toISOString(),
    assignee: row.assigneeId === null ? null : { id: row.assigneeId, name: row.assigneeName ?? "" },
    createdAt: new Date(row.createdAt).toISOString(),
  };
}

/** Answers are JSON in the database; people read words, or a list of them. */
function toAnswer(answer: unknown): Answer | null {
  if (answer === null || answer === undefined) return null;
  const read = requestAnswer.safeParse(answer);
  return read.success ? read.data : JSON.stringify(answer);
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

/** Of its run: what it is called, and whether it is held. */
type Heading = { runTitle: string; isHeld: boolean };

/** $2: the person who looks. What a run asks is for whoever started it, unless it is assigned to somebody. */
const WHOSE: Record<ListRequestsInput["whose"], string> = {
  everybody: "$2::uuid IS NOT NULL",
  mine: "(q.assignee_id = $2 OR (q.assignee_id IS NULL AND r.started_by_id = $2))",
  nobody: "q.assignee_id IS NULL AND $2::uuid IS NOT NULL",
};

/** The inbox: open requests, nearest deadline first, then oldest first; `total` counts beyond the limit. */
export async function listOpenRequests(
  { workspaceId, userId }: Pick<Scope, "workspaceId" | "userId">,
  input: ListRequestsInput,
): Promise<{ items: (RequestView & Heading)[]; total: number }> {
  const { rows } = await pool().query<RequestRecord & Heading & { total: number }>(
    `SELECT ${REQUEST_COLUMNS}, r.title AS "runTitle", is_held(r.status) AS "isHeld", (count(*) OVER ())::int AS total
     FROM human_requests q ${REQUEST_JOINS}
     JOIN runs r ON r.workspace_id = q.workspace_id AND r.id = q.run_id
     WHERE q.workspace_id = $1 AND q.status = 'open' AND ${WHOSE[input.whose]}
     ORDER BY q.deadline_at NULLS LAST, q.created_at, q.id LIMIT $3`,
    [workspaceId, userId, input.limit],
  );
  return {
    items: rows.map((row) => ({ ...toRequestView(row), runTitle: row.runTitle, isHeld: row.isHeld })),
    total: rows[0]?.total ?? 0,
  };
}
