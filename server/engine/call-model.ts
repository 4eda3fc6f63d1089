import type { Model, ModelError, ModelReply, ToolCall } from "@/server/models/model";
import { askModel } from "./ask-model";
import { type CallSettings, callSettings } from "./call-settings";
import { canCondense, decideToCondense } from "./compact-conversation";
import { deadModelCall } from "./dead-letter";
import { decide } from "./decide";
import type { Execution } from "./execution";
import { merged } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";
import { asModelError, decideRetry, retryOf } from "./model-failure";
import { reasoningUnit } from "./reasoning";
import { releaseCall } from "./reserve-call";
import { isRejection, type Rejection } from "./resilience/rejection";
import { judgeRetry } from "./retry-policy";
import { spentOn } from "./spent";
import { decideStandIn, findStandIn } from "./stand-in";
import { decisionOf } from "./turn-decision";

export type CallEnd =
  | { ended: "replied" }
  | { ended: "retry"; delayMs: number }
  /** The provider takes no conversation of that length; condensed it may. */
  | { ended: "too-long"; code: string; message: string }
  | { ended: "failed"; code: string; message: string };

/**
 * One model call: one step, with the decision it led to; its commit is under way when this returns (`execution.replied`).
 * `failures` counts failed calls in a row before it; `maxOutputTokens` is the longest reply to ask for.
 */
export async function callModel(
  execution: Execution,
  {
    position,
    failures,
    maxOutputTokens,
    modelRef,
  }: { position: number; failures: number; maxOutputTokens: number | null; modelRef: string },
): Promise<CallEnd> {
  const { journal, resources } = execution;
  const turn = execution.turn() + 1;
  const announced = await execution.announce({ position, turn, kind: "model", name: nameOf(modelRef) });
  // Not waited for: the call begins while the commit is under way. A refused fence aborts it through the signal.
  const committed = Object.keys(announced).length ? journal.append(announced) : Promise.resolve();
  committed.catch(() => {});

  const stream = resources.liveText?.begin({
    workspaceId: execution.row.workspaceId,
    runId: execution.row.runId,
    agentRunId: execution.row.id,
    position,
    epoch: execution.row.epoch,
  });
  const conversation = execution.conversation();
  const sent = execution.messages.size;
  const { temperature } = execution.config;
  let reply: ModelReply;
  let model: Model | undefined;
  try {
    await execution.faultPoint("before-model", position);
    model = await resources.models.find(execution.row.workspaceId, modelRef);
    reply = await askModel(execution, model, {
      messages: conversation,
      tools: execution.toolSpecs,
      ...(temperature === null ? {} : { temperature }),
      ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
      signal: execution.signal,
      ...(stream ? { onText: stream.add } : {}),
    });
    await execution.faultPoint("after-model", position);
  } catch (error) {
    stream?.end();
    await committed;
    execution.signal.throwIfAborted();
    return recordFailure(execution, {
      position,
      turn,
      error: asModelError(error),
      failures: failures + 1,
      modelRef,
      sent,
      settings: model && callSettings(modelRef, model, { temperature, maxOutputTokens }),
      streamed: !!stream,
    });
  }
  stream?.end();
  await committed;
  const settings = callSettings(modelRef, model, { temperature, maxOutputTokens });
  execution.recordReply(replyUnit(execution, { position, turn, settings, model, reply, sent, streamed: !!stream }));
  return { ended: "replied" };
}

function replyUnit(
  execution: Execution,
  of: {
    position: number;
    turn: number;
    settings: CallSettings;
    model: Model;
    reply: ModelReply;
    sent: number;
    streamed: boolean;
  },
): JournalUnit {
  const { journal } = execution;
  const { reply, position, turn, model } = of;
  const calls = withoutDoubles(reply.calls);
  const { spent, unit } = spentOn(journal, position, model, reply.usage);
  const replyIndex = of.sent;
  const message = { role: "assistant" as const, content: reply.text, calls };
  execution.messages.set(replyIndex, message);
  const request = journal.constant(execution.requestOf(of.settings));
  return merged(
    { blobs: request.blobs },
    unit,
    execution.finish(
      {
        position,
        turn,
        kind: "model",
        name: model.name,
        status: "completed",
        error: null,
        ...spent,
        inputBytes: 0,
        outputBytes: Buffer.byteLength(reply.text ?? "") + calls.reduce((sum, call) => sum + call.arguments.length, 0),
      },
      { sent: of.sent, reply: replyIndex, request: request.hash, streamed: of.streamed },
    ),
    reasoningUnit(position, reply),
    journal.message(replyIndex, { ...message, ...(reply.told ? { told: reply.told } : {}) }),
    decide(execution, { position, ...decisionOf(reply, calls, position + 1) }),
    execution.begin(
      calls.map((call, i) => ({
        position: position + 1 + i,
        turn,
        kind: execution.kindOf(call.name),
        name: call.name,
      })),
    ),
  );
}

/** Records a call that its provider's policy let not be made. */
export function recordRejection(
  execution: Execution,
  of: { position: number; failures: number; modelRef: string; rejection: Rejection },
): Promise<CallEnd> {
  const error = asModelError(of.rejection);
  const failures = of.failures + 1;
  return recordFailure(execution, { ...of, turn: execution.turn() + 1, error, failures, sent: null, streamed: false });
}

async function recordFailure(
  execution: Execution,
  of: {
    position: number;
    turn: number;
    error: ModelError;
    failures: number;
    modelRef: string;
    /** Null: the call was not made. */
    sent: number | null;
    /** Absent: the call was not made, or there is no such model. */
    settings?: CallSettings | undefined;
    streamed: boolean;
  },
): Promise<CallEnd> {
  const { position, turn, error, modelRef } = of;
  await releaseCall(execution, position, error);
  const condenses = error.code === "context_too_long" && canCondense(execution);
  const policy = await retryOf(execution, modelRef);
  const verdict = judgeRetry(error, of.failures, execution.resources.random(), policy);
  // A model that stands in has none itself. What was let not be made does not wait where another can answer.
  const mayPass = verdict.retry && !isRejection(error.code);
  const standIn = condenses || mayPass || modelRef !== execution.modelRef ? null : await findStandIn(execution, error);
  const refused = verdict.retry ? error.code : verdict.reason;
  const request = of.settings && execution.journal.constant(execution.requestOf(of.settings));
  await execution.journal.append(
    merged(
      request ? { blobs: request.blobs } : {},
      execution.finish(
        {
          position,
          turn,
          kind: "model",
          name: nameOf(modelRef),
          status: "failed",
          error: { code: error.code, message: error.message, ...(standIn ? { standIn } : {}) },
          inputTokens: 0,
          outputTokens: 0,
          costNanoUsd: null,
          inputBytes: 0,
          outputBytes: 0,
        },
        {
          ...(of.sent === null ? {} : { sent: of.sent }),
          ...(request ? { request: request.hash } : {}),
          streamed: of.streamed,
          facts: error.facts,
        },
      ),
      condenses
        ? decideToCondense(execution, position, error)
        : standIn
          ? decideStandIn(execution, { position, ref: standIn, reason: refused })
          : decideRetry(execution, { position, verdict, next: position + 1 }),
      condenses || standIn || verdict.retry ? {} : deadModelCall(execution, { position, operation: modelRef, error }),
    ),
  );
  if (condenses) return { ended: "too-long", code: error.code, message: error.message };
  if (standIn) return { ended: "retry", delayMs: 0 };
  if (verdict.retry) return { ended: "retry", delayMs: verdict.delayMs };
  return { ended: "failed", code: error.code, message: error.message };
}

/** The model's own name. */
export const nameOf = (modelRef: string) => modelRef.slice(modelRef.indexOf("/") + 1);

/** Calls that share an id are one call: the last counts (LOK-TOOL-10). */
function withoutDoubles(calls: readonly ToolCall[]): ToolCall[] {
  return [...new Map(calls.map((call) => [call.id, call])).values()];
}
