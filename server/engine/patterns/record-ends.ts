import type { Execution } from "../execution";
import { merged } from "../journal/merged";
import type { JournalUnit } from "../journal/unit";
import { endValue, type PlacedPart } from "./record";

/** Records parts that have ended: step, result, and that the result was handed over. */
export function recordEnds(execution: Execution, parts: readonly PlacedPart[]): JournalUnit {
  const collected: string[] = [];
  const units = parts.flatMap((part) => {
    const { end, isRecorded, isStarted, agent, call, callIndex, resultIndex, childId } = part;
    if (!end || isRecorded) return [];
    const content = JSON.stringify(endValue(agent, end));
    const message = { role: "tool" as const, callId: call.id, content };
    execution.messages.set(resultIndex, message);
    if (isStarted) collected.push(childId);
    const isDone = end.status === "completed";
    return [
      execution.begin([stepOf(part)]),
      execution.finish(
        {
          ...stepOf(part),
          status: isDone ? "completed" : "failed",
          error: isDone ? null : { code: "agent_failed", message: `${agent}: ${end.reason ?? end.status}` },
          ...{ inputTokens: 0, outputTokens: 0, costNanoUsd: null },
          inputBytes: Buffer.byteLength(call.arguments),
          outputBytes: Buffer.byteLength(content),
        },
        { callId: call.id, sent: callIndex + 1, reply: resultIndex },
      ),
      execution.journal.message(resultIndex, message),
    ];
  });
  return merged(...units, collected.length ? { agent: { collected } } : {});
}

/** A part as a step of the root. */
export function stepOf({ position, phase, call }: PlacedPart) {
  return { position, turn: phase, kind: "tool" as const, name: call.name };
}
