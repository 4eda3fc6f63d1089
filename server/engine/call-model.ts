import { costOf, ModelError, type ModelReply, type ToolCall } from "@/server/models/model";
import { decide } from "./decide";
import type { Execution } from "./execution";
import { merged } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";
import type { Offer } from "./offers";
import { judgeRetry, type RetryVerdict } from "./retry-policy";
import { decisionOf } from "./turn-decision";

const RETRY_OFFERS: Offer[] = [
  { key: "retry", kind: "action", label: "Retry", description: "Make the same model call again after a pause." },
  { key: "give_up", kind: "action", label: "Give up", description: "End this agent run as failed." },
];

export type CallEnd =
  | { ended: "replied" }
  | { ended: "retry"; delayMs: number }
  | { ended: "failed"; code: string; message: string };

/** One model call: one step, with the decision it led to. `failures` counts failed calls in a row before it. */
export async function callModel(execution: Execution, position: number, failures: number): Promise<CallEnd> {
  const { journal, resources } = execution;
  const turn = execution.turn() + 1;
  const announced = merged(
    execution.openingUnit(),
    execution.begin([{ position, turn, kind: "model", name: resources.model.name }]),
  );
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
  let reply: ModelReply;
  try {
    await execution.faultPoint("before-model", position);
    reply = await resources.model.complete({
      messages: conversation,
      tools: execution.toolSpecs,
      ...(execution.config.temperature === null ? {} : { temperature: execution.config.temperature }),
      signal: execution.signal,
      ...(stream ? { onText: stream.add } : {}),
    });
    await execution.faultPoint("after-model", position);
  } catch (error) {
    stream?.end();
    await committed;
    execution.signal.throwIfAborted();
    const known =
      error instanceof ModelError
        ? error
        : new ModelError("bad_request", `The model client failed: ${messageOf(error)}`);
    return recordFailure(execution, {
      position,
      turn,
      error: known,
      failures: failures + 1,
      sent: conversation.length,
      streamed: !!stream,
    });
  }
  stream?.end();
  await committed;
  await journal.append(replyUnit(execution, { position, turn, reply, sent: conversation.length, streamed: !!stream }));
  return { ended: "replied" };
}

function replyUnit(
  execution: Execution,
  of: { position: number; turn: number; reply: ModelReply; sent: number; streamed: boolean },
): JournalUnit {
  const { journal, resources } = execution;
  const { reply, position, turn } = of;
  const calls = withoutDoubles(reply.calls);
  const cost = costOf(reply.usage, resources.model.price);
  const replyIndex = of.sent;
  const message = { role: "assistant" as const, content: reply.text, calls };
  execution.messages.set(replyIndex, message);
  const request = journal.blob(
    JSON.stringify({
      model: `${resources.model.provider}/${resources.model.name}`,
      temperature: execution.config.temperature,
      tools: execution.toolSpecs,
    }),
  );
  const { inputTokens, outputTokens, cachedTokens } = reply.usage;
  const totals = { input: inputTokens, output: outputTokens, cost: cost ?? 0 };
  return merged(
    { blobs: request.blobs },
    execution.finish(
      {
        position,
        turn,
        kind: "model",
        name: resources.model.name,
        status: "completed",
        error: null,
        inputTokens,
        outputTokens,
        costNanoUsd: cost,
        inputBytes: 0,
        outputBytes: Buffer.byteLength(reply.text ?? "") + calls.reduce((sum, call) => sum + call.arguments.length, 0),
      },
      { sent: of.sent, reply: replyIndex, request: request.hash, streamed: of.streamed },
    ),
    journal.message(replyIndex, message),
    {
      usages: [
        {
          position,
          provider: resources.model.provider,
          model: resources.model.name,
          input: inputTokens,
          cached: cachedTokens,
          output: outputTokens,
          cost,
        },
      ],
      agent: totals,
      head: { ...totals, unpriced: cost === null ? 1 : 0 },
    },
    decide(execution, { position, ...decisionOf(reply, calls, position + 1) }),
    execution.begin(
      calls.map((call, i) => ({
        position: position + 1 + i,
        turn,
        kind: execution.engineTool(call.name)?.kind ?? "tool",
        name: call.name,
      })),
    ),
  );
}

async function recordFailure(
  execution: Execution,
  of: { position: number; turn: number; error: ModelError; failures: number; sent: number; streamed: boolean },
): Promise<CallEnd> {
  const { position, turn, error } = of;
  const verdict: RetryVerdict = judgeRetry(error, of.failures, execution.resources.random());
  const chosen = verdict.retry
    ? { option: "retry", label: "Retry", position: position + 1, reason: null }
    : { option: "give_up", label: "Give up", position: null, reason: null };
  await execution.journal.append(
    merged(
      execution.finish(
        {
          position,
          turn,
          kind: "model",
          name: execution.resources.model.name,
          status: "failed",
          error: { code: error.code, message: error.message },
          inputTokens: 0,
          outputTokens: 0,
          costNanoUsd: null,
          inputBytes: 0,
          outputBytes: 0,
        },
        { sent: of.sent, streamed: of.streamed },
      ),
      decide(execution, {
        position,
        kind: "retry",
        chosen: [chosen],
        reason: verdict.reason,
        source: "runtime-rule",
        offers: RETRY_OFFERS,
      }),
    ),
  );
  if (verdict.retry) return { ended: "retry", delayMs: verdict.delayMs };
  return { ended: "failed", code: error.code, message: error.message };
}

/** Calls that share an id are one call: the last counts (LOK-TOOL-10). */
function withoutDoubles(calls: readonly ToolCall[]): ToolCall[] {
  return [...new Map(calls.map((call) => [call.id, call])).values()];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
