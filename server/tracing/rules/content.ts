import type { ToolSpec } from "@/server/models/model";
import type { MessageView } from "@/server/runs/step-schema";
import { MOST_CONTENT } from "../constants";

type Part =
  | { type: "text"; content: string }
  | { type: "tool_call"; id: string; name: string; arguments: unknown }
  | { type: "tool_call_response"; id: string; response: string };

/** `gen_ai.system_instructions`; null: there are none. */
export function systemInstructions(messages: readonly MessageView[]): string | null {
  const first = messages[0];
  return first?.role === "system" ? JSON.stringify([{ type: "text", content: cut(first.content ?? "") }]) : null;
}

/** `gen_ai.input.messages`: as sent, without the system message; the oldest are left out where there are too many. */
export function inputMessages(messages: readonly MessageView[]): { json: string; leftOut: number } {
  const said = messages[0]?.role === "system" ? messages.slice(1) : messages;
  const kept: string[] = [];
  let size = 2;
  for (const message of said.toReversed()) {
    const json = JSON.stringify({ role: message.role, parts: partsOf(message) });
    if (size + json.length > MOST_CONTENT && kept.length > 0) break;
    size += json.length + 1;
    kept.unshift(json);
  }
  return { json: `[${kept.join(",")}]`, leftOut: said.length - kept.length };
}

/** `gen_ai.output.messages`. `finishReason`: in the endpoint's word; null: it told none, and all of the reply came. */
export function outputMessages(reply: MessageView, finishReason: string | null): string {
  const whole = reply.calls.length > 0 ? "tool_call" : "stop";
  const reason = finishReason === null ? whole : (FINISH_REASONS[finishReason] ?? finishReason);
  return JSON.stringify([{ role: "assistant", parts: partsOf(reply), finish_reason: reason }]);
}

/** Words of endpoints for which the conventions have another. */
const FINISH_REASONS: Record<string, string> = {
  ...{ tool_calls: "tool_call", function_call: "tool_call", tool_use: "tool_call" },
  ...{ end_turn: "stop", stop_sequence: "stop", eos: "stop" },
  ...{ max_tokens: "length", model_length: "length" },
};

/** `gen_ai.tool.definitions`: those that fit, whole. */
export function toolDefinitions(tools: readonly ToolSpec[]): { json: string; leftOut: number } {
  const kept: string[] = [];
  let size = 2;
  for (const { name, description } of tools) {
    const json = JSON.stringify({ type: "function", name, description });
    if (size + json.length + 1 > MOST_CONTENT) continue;
    size += json.length + 1;
    kept.push(json);
  }
  return { json: `[${kept.join(",")}]`, leftOut: tools.length - kept.length };
}

export function cut(text: string): string {
  return text.length <= MOST_CONTENT ? text : `${text.slice(0, MOST_CONTENT)}…`;
}

function partsOf({ role, content, calls, callId }: MessageView): Part[] {
  if (role === "tool") return [{ type: "tool_call_response", id: callId ?? "", response: cut(content ?? "") }];
  const said: Part[] = content ? [{ type: "text", content: cut(content) }] : [];
  return [
    ...said,
    ...calls.map((call) => ({
      ...{ type: "tool_call" as const, id: call.id, name: call.name },
      arguments: parsed(call.arguments),
    })),
  ];
}

/** The model may have written anything. */
function parsed(written: string): unknown {
  if (written.length > MOST_CONTENT) return cut(written);
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}
