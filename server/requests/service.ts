import { v7 as newId } from "uuid";
import { storable, storedJson } from "@/server/engine/stored-json";
import { AppError } from "@/server/errors";
import { storeDecision } from "@/server/runs/service";
import { inTransaction } from "@/server/transaction";
import type { Scope } from "@/server/workspaces/scope";
import type { AnswerRequestInput } from "./schema";

type OpenRequest = {
  run_id: string;
  agent_run_id: string;
  position: number;
  kind: string;
  options: { value: string; label: string; description?: string }[];
};

/**
 * Stores a person's answer, once (promise 7): the row decides, and a later answer changes nothing (`counted: false`).
 * NOT_FOUND for an unknown request; INVALID when the answer is none of those an uncertain effect allows.
 */
export async function answerRequest({
  scope,
  input,
}: {
  scope: Scope;
  input: AnswerRequestInput;
}): Promise<{ requestId: string; counted: boolean }> {
  const { requestId } = input;
  const answer = storable(input.answer);
  return inTransaction(async (client) => {
    const { rows } = await client.query<OpenRequest & { status: string }>(
      `select run_id, agent_run_id, position, kind, options, status from human_requests
       where workspace_id = $1 and id = $2 for update`,
      [scope.workspaceId, requestId],
    );
    const request = rows[0];
    if (!request) throw new AppError("NOT_FOUND", "There is no such request.");
    if (request.status !== "open") return { requestId, counted: false };
    const option = request.options.find(({ value }) => value === answer);
    if (request.kind === "uncertain_effect" && !option) {
      throw new AppError("INVALID", `Choose one of: ${request.options.map(({ label }) => label).join(", ")}.`);
    }
    await client.query(
      `update human_requests set status = 'answered', answer = to_jsonb($2::text), answered_by_id = $3, answered_at = now()
       where id = $1`,
      [requestId, answer, scope.userId],
    );
    const { rows: runs } = await client.query<{ open_requests: number; at: Date }>(
      "select open_requests, now()::timestamptz(3) as at from runs where id = $1 for no key update",
      [request.run_id],
    );
    const at = runs[0]?.at.toISOString() ?? new Date().toISOString();
    const othersOpen = (runs[0]?.open_requests ?? 1) > 1;
    const decision = {
      id: newId(),
      agentRunId: request.agent_run_id,
      position: request.position,
      ordinal: 1,
      kind: "answer",
      chosen: [
        { option: option?.value ?? "other", label: option?.label ?? answer, position: request.position, reason: null },
      ],
      reason: `${scope.userName} answered “${option?.label ?? answer}”.`,
      source: "human",
      at,
    };
    const offered = [
      ...request.options.map(({ value, label, description }) => ({
        key: value,
        kind: "action",
        label,
        description: description ?? "",
      })),
      ...(request.kind === "question"
        ? [{ key: "other", kind: "action", label: "Another answer", description: "Typed by the person." }]
        : []),
    ];
    await storeDecision(client, scope, request.run_id, decision, JSON.stringify(offered));
    const closed = { requestId, status: "answered", answer, answeredBy: scope.userName, at };
    await client.query("select append_events($1, $2)", [
      storedJson([
        { r: request.run_id, a: request.agent_run_id, kind: "request.closed", body: closed },
        { r: request.run_id, a: request.agent_run_id, kind: "decision.made", body: { decision } },
        ...(othersOpen
          ? []
          : [{ r: request.run_id, kind: "run.status", body: { status: "running", reason: null, answer: null, at } }]),
      ]),
      JSON.stringify([{ r: request.run_id, requests: -1, ...(othersOpen ? {} : { status: "running" }) }]),
    ]);
    await client.query("select pg_notify('troupe_work', $1)", [`answered:${requestId}`]);
    return { requestId, counted: true };
  });
}
