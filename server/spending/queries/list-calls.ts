import { AppError } from "@/server/errors";
import type { StoredFacts } from "@/server/models/model";
import { STEP_MS } from "@/server/runs/queries/inside/spent-sql";
import { FAILURES_BEFORE } from "@/server/runs/queries/model-call-sql";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ListedCall, ListSpendingInput } from "../schema";
import { CALLED, callsOf, TOLD } from "./calls-of";
import { readCalls } from "./read-calls";

type Row = {
  run_id: string;
  run_title: string;
  agent_run_id: string;
  position: number;
  agent_name: string;
  finished_at: Date;
  kind: string;
  provider: string | null;
  model: string;
  status: string;
  error_code: string | null;
  failures_before: number;
  input_tokens: number | null;
  cached_tokens: number | null;
  output_tokens: number | null;
  cost: number | null;
  reasoning_tokens: number | null;
  told: StoredFacts | null;
  took_ms: number;
};

/**
 * A page of calls, newest first. Pages follow each other by (finished_at, agent run, position), so calls made meanwhile neither repeat nor
 * hide one. Throws INVALID for a cursor that is not ours.
 */
export async function listCalls(
  workspaceId: WorkspaceId,
  { cursor, limit, direction: _, ...filters }: ListSpendingInput,
): Promise<{ items: ListedCall[]; nextCursor: string | null }> {
  const { from, conditions, values, bind } = await callsOf(workspaceId, filters, { sums: false });
  if (cursor) {
    const after = parseCursor(cursor);
    const at = bind(after.at);
    conditions.push(
      `r.created_at <= ${at}`,
      `s.finished_at <= ${at}`,
      `(s.finished_at < ${at} OR (s.agent_run_id, s.position) > (${bind(after.agentRunId)}::uuid, ${bind(after.position)}::int))`,
    );
  }
  // What is only shown is read for the calls of the page alone.
  const rows = await readCalls<Row>(
    `SELECT s.*, m.content -> 'told' AS told, ${FAILURES_BEFORE} AS failures_before FROM (
       SELECT r.id AS run_id, r.title AS run_title, k.name AS agent_name, s.workspace_id, s.agent_run_id, s.position, s.finished_at, s.kind,
         s.status, s.error ->> 'code' AS error_code, s.reply_message, ${CALLED}, u.input_tokens, u.cached_tokens, u.output_tokens, u.reasoning_tokens,
         u.cost_nano_usd::float8 AS cost, ${STEP_MS}::float8 AS took_ms
       FROM ${from} WHERE ${conditions.join(" AND ")}
       ORDER BY s.finished_at DESC, s.agent_run_id, s.position LIMIT ${bind(limit + 1)}
     ) s ${TOLD} ORDER BY s.finished_at DESC, s.agent_run_id, s.position`,
    values,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { items: page.map(toCall), nextCursor: rows.length > limit && last ? toCursor(last) : null };
}

function toCall(row: Row): ListedCall {
  const isOwn = row.kind === "model" || row.kind === "summary";
  const isAnswered = row.input_tokens !== null;
  const tokens = {
    inputTokens: row.input_tokens ?? 0,
    cachedTokens: row.cached_tokens ?? 0,
    outputTokens: row.output_tokens ?? 0,
  };
  return {
    ...{ runId: row.run_id, runTitle: row.run_title, agentRunId: row.agent_run_id, position: row.position },
    ...{ agentName: row.agent_name, at: row.finished_at.toISOString() },
    kind: row.kind === "model" || row.kind === "summary" ? row.kind : "condense",
    ...{ provider: row.provider, model: row.model },
    status: isAnswered ? "answered" : isOwn && row.status === "failed" ? "failed" : "stopped",
    finishReason: row.told?.finishReason ?? null,
    errorCode: isOwn ? row.error_code : null,
    attempt: row.failures_before + 1,
    ...tokens,
    reasoningTokens: row.reasoning_tokens ?? row.told?.reasoningTokens ?? null,
    costNanoUsd: row.cost,
    isUsageKnown: tokens.inputTokens + tokens.outputTokens > 0,
    firstTokenMs: row.told?.firstPieceMs ?? null,
    durationMs: isOwn ? row.took_ms : null,
  };
}

function toCursor({ finished_at, agent_run_id, position }: Row): string {
  return `${finished_at.getTime()}.${agent_run_id}.${position}`;
}

function parseCursor(cursor: string): { at: Date; agentRunId: string; position: number } {
  const [, time, agentRunId, position] =
    /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})$/.exec(cursor) ?? [];
  if (!time || !agentRunId) {
    throw new AppError("INVALID", "This page of calls no longer exists. Open the list again.");
  }
  return { at: new Date(Number(time)), agentRunId, position: Number(position) };
}
