import type { ModelMessage, ToolCall } from "@/server/models/model";
import { HANDED_OVER, HANDOFF_TOOL, type Handoff, handoff } from "./handoffs";
import type { Opened } from "./journal/opened";
import { argumentsOf } from "./turn-decision";

/** A call the model asked for, and where its step and its result belong. */
export type PlannedCall = { call: ToolCall; position: number; messageIndex: number };

export type NextStep =
  /** `failures`: failed calls in a row of the model that is asked. `standIn`: "provider/model" that is asked in place of the agent's own. */
  | { do: "call-model"; position: number; failures: number; standIn: string | null }
  | { do: "run-calls"; calls: PlannedCall[] }
  | { do: "finish"; text: string }
  /** The same, for one that gives the task to another. */
  | { do: "hand-over"; text: string; handoff: Handoff }
  | { do: "stop-at-limit"; position: number; text: string };

export type Progress = {
  messages: ReadonlyMap<number, ModelMessage>;
  /** Steps recorded so far, by position. */
  steps: readonly (Pick<Opened["steps"][number], "position" | "kind" | "status" | "replyMessage"> & {
    standIn?: string | null;
  })[];
  maxToolRounds: number;
};

/**
 * What comes next, from the record alone: the same after a crash as without one.
 * A model step at position p asks for calls at p+1 … p+n, whose results are the messages after its reply.
 */
export function nextStep({ messages, steps, maxToolRounds }: Progress): NextStep {
  const replies = steps.filter((step) => step.kind === "model" && step.status === "completed");
  const last = replies.at(-1);
  // A conversation that was condensed is another call.
  const answered = steps.findLast(
    (step) => (step.kind === "model" || step.kind === "summary") && step.status === "completed",
  );
  const failed = steps.filter(
    (step) => step.kind === "model" && step.status === "failed" && step.position > (answered?.position ?? -1),
  );
  const gaveUp = failed.findLastIndex((step) => step.standIn != null);
  const asked = { failures: failed.length - (gaveUp + 1), standIn: failed[gaveUp]?.standIn ?? null };
  const recorded = steps.at(-1)?.position ?? -1;
  if (last?.replyMessage == null) return { do: "call-model", position: recorded + 1, ...asked };

  const reply = messages.get(last.replyMessage);
  if (reply?.role !== "assistant") throw new Error(`message ${last.replyMessage} is not the reply it should be`);
  const replyIndex = last.replyMessage;
  const planned = reply.calls.map((call, i) => ({
    call,
    position: last.position + 1 + i,
    messageIndex: replyIndex + 1 + i,
  }));
  const isTold = messages.has(replyIndex + planned.length + 1);
  // Somebody said something to it after its answer.
  if (planned.length === 0 && isTold) return { do: "call-model", position: recorded + 1, ...asked };
  if (planned.length === 0) return { do: "finish", text: reply.content ?? "" };
  const open = planned.filter(({ messageIndex }) => !messages.has(messageIndex));
  if (open.length) return { do: "run-calls", calls: open };
  const handoff = isTold ? null : handoffAmong(planned, messages);
  if (handoff) return { do: "hand-over", text: reply.content || handoff.told, handoff };
  const position = Math.max(recorded, last.position + planned.length) + 1;
  if (replies.length >= maxToolRounds) return { do: "stop-at-limit", position, text: lastText(messages, replies) };
  return { do: "call-model", position, ...asked };
}

/** The handoff of a turn whose calls are all recorded. */
function handoffAmong(planned: readonly PlannedCall[], messages: Progress["messages"]): Handoff | null {
  const made = planned.find(
    ({ call, messageIndex }) =>
      call.name === HANDOFF_TOOL && JSON.parse(messages.get(messageIndex)?.content ?? "null")?.status === HANDED_OVER,
  );
  if (!made) return null;
  const { agent, reason, tell } = argumentsOf(made.call);
  return handoff.parse({ agent, reason, told: tell });
}

/** What this agent run said last; answers of earlier turns of its conversation are not its own. */
export function lastText(messages: ReadonlyMap<number, ModelMessage>, replies: Progress["steps"]): string {
  const said = replies.map(({ replyMessage }) => (replyMessage === null ? undefined : messages.get(replyMessage)));
  return said.findLast((message) => message?.role === "assistant" && message.content)?.content ?? "";
}
