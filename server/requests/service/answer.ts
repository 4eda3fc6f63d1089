import type pg from "pg";
import { answerKindOf } from "@/server/engine/answer-schema";
import type { RequestOption, RequestView } from "@/server/engine/events";
import { expireRequest } from "@/server/engine/expire-requests";
import { outsideDecision } from "@/server/engine/outside-decision";
import { storable, storedJson } from "@/server/engine/stored-json";
import { AppError } from "@/server/errors";
import { redactionOf } from "@/server/secrets/redaction";
import { STORED_NOW } from "@/server/stored-now";
import { inTransaction } from "@/server/transaction";
import type { Scope } from "@/server/workspaces/scope";
import { answerOffers, chosenBy, whyNotAnswer } from "../rules";
import type { AnswerRequestInput } from "../schema";

type AskedRequest = {
  run_id: string;
  agent_run_id: string;
  position: number;
  kind: RequestView["kind"];
  options: RequestOption[];
  schema: unknown;
};

type Answering = {
  /** Without a user: an answer that belongs to nobody's account, as in a seed. */
  scope: Pick<Scope, "workspaceId" | "userName"> & { userId: string | null };
  input: AnswerRequestInput;
};

/**
 * Stores a person's answer, once (promise 7): the row decides, and a later answer changes nothing (`counted: false`). A person may
 * also answer what the agents above are still asked (LOK-ESC-11); that was not counted as open, and no run waits for it. After its
 * deadline no answer counts.
 * NOT_FOUND for an unknown request; INVALID when this request cannot be answered so.
 */
export async function answerRequest({ scope, input }: Answering): Promise<{ requestId: string; counted: boolean }> {
  const answer = (await redactionOf(scope.workspaceId))(input.answer);
  return inTransaction((client) => answerIn(client, { scope, input: { ...input, answer } }));
}

/** The same inside a transaction of the caller, who has taken out what must not be stored. */
export async function answerIn(
  client: pg.ClientBase,
  { scope, input }: Answering,
): Promise<{ requestId: string; counted: boolean }> {
  const { requestId } = input;
  const answer = typeof input.answer === "string" ? storable(input.answer) : input.answer.map(storable);
  const { rows } = await client.query<AskedRequest & { status: string }>(
    `select run_id, agent_run_id, position, kind, options, schema, status from human_requests
       where workspace_id = $1 and id = $2 for update`,
    [scope.workspaceId, requestId],
  );
  const request = rows[0];
  if (!request) throw new AppError("NOT_FOUND", "There is no such request.");
  if (request.status !== "open" && request.status !== "escalated") return { requestId, counted: false };
  // Nobody has looked since the deadline passed.
  if (await expireRequest(client, requestId)) return { requestId, counted: false };
  const isOpen = request.status === "open";
  const asked = { ...request, answerKind: answerKindOf(request.schema) };
  const whyNot = whyNotAnswer(asked, answer);
  if (whyNot) throw new AppError("INVALID", whyNot);
  await client.query(
    `update human_requests set status = 'answered', answer = $2::jsonb, answered_by_id = $3, answered_at = now()
       where id = $1`,
    [requestId, JSON.stringify(answer), scope.userId],
  );
  const { rows: runs } = await client.query<{ goes_on: boolean; at: Date }>(
    `select status = 'waiting' and open_requests <= 1 and $2 as goes_on, ${STORED_NOW} as at from runs
       where id = $1 for no key update`,
    [request.run_id, isOpen],
  );
  const at = runs[0]?.at.toISOString() ?? new Date().toISOString();
  const closed = {
    requestId,
    status: "answered",
    answer,
    answeredBy: scope.userId === null ? null : scope.userName,
    answeredByAgentId: null,
    at,
  };
  await client.query("select append_events($1, $2)", [
    storedJson([{ r: request.run_id, a: request.agent_run_id, kind: "request.closed", body: closed }]),
    JSON.stringify([{ r: request.run_id, requests: isOpen ? -1 : 0 }]),
  ]);
  const chosen = chosenBy(asked, answer);
  const words = chosen.map(({ label }) => `“${label}”`).join(", ");
  const decision = outsideDecision({
    workspaceId: scope.workspaceId,
    runId: request.run_id,
    agentRunId: request.agent_run_id,
    position: request.position,
    kind: "answer",
    chosen,
    reason: `${scope.userName} answered ${words}.`,
    source: "human",
    offers: answerOffers(asked),
  });
  await client.query("select decide_outside($1)", [decision]);
  if (runs[0]?.goes_on) {
    const running = { status: "running", reason: null, answer: null, at };
    await client.query("select append_events($1, $2)", [
      JSON.stringify([{ r: request.run_id, kind: "run.status", body: running }]),
      JSON.stringify([{ r: request.run_id, status: "running" }]),
    ]);
  }
  await client.query("select pg_notify('troupe_work', $1)", [`answered:${requestId}`]);
  return { requestId, counted: true };
}
