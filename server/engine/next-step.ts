import type { ModelMessage, ToolCall } from "@/server/models/model";
import type { Opened } from "./journal/opened";

/** A call the model asked for, and where its step and its result belong. */
export type PlannedCall = { call: ToolCall; position: number; messageIndex: number };

export type NextStep =
  | { do: "call-model"; position: number; failures: number }
  | { do: "run-calls"; calls: PlannedCall[] }
  | { do: "finish"; text: string }
  | { do: "stop-at-limit"; position: number; text: string };

export type Progress = {
  messages: ReadonlyMap<number, ModelMessage>;
  /** Steps recorded so far, by position. */
  steps: readonly Pick<Opened["steps"][number], "position" | "kind" | "status" | "replyMessage">[];
  maxToolRounds: number;
};

/**
 * What comes next, from the record alone: the same after a crash as without one.
 * A model step at position p asks for calls at p+1 … p+n, whose results are the messages after its reply.
 */
export function nextStep({ messages, steps, maxToolRounds }: Progress): NextStep {
  const replies = steps.filter((step) => step.kind === "model" && step.status === "completed");
  const last = replies.at(-1);
  const failures = steps.filter(
    (step) => step.kind === "model" && step.status === "failed" && step.position > (last?.position ?? -1),
  ).length;
  const recorded = steps.at(-1)?.position ?? -1;
  if (last?.replyMessage == null) return { do: "call-model", position: recorded + 1, failures };

  const reply = messages.get(last.replyMessage);
  if (reply?.role !== "assistant") throw new Error(`message ${last.replyMessage} is not the reply it should be`);
  const replyIndex = last.replyMessage;
  const planned = reply.calls.map((call, i) => ({
    call,
    position: last.position + 1 + i,
    messageIndex: replyIndex + 1 + i,
  }));
  if (planned.length === 0) return { do: "finish", text: reply.content ?? "" };
  const open = planned.filter(({ messageIndex }) => !messages.has(messageIndex));
  if (open.length) return { do: "run-calls", calls: open };
  const position = Math.max(recorded, last.position + planned.length) + 1;
  if (replies.length >= maxToolRounds) return { do: "stop-at-limit", position, text: lastText(messages) };
  return { do: "call-model", position, failures };
}

function lastText(messages: ReadonlyMap<number, ModelMessage>): string {
  const said = [...messages.entries()].sort(([a], [b]) => b - a).map(([, message]) => message);
  return said.find((message) => message.role === "assistant" && message.content)?.content ?? "";
}
