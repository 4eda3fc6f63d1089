import { setTimeout as wait } from "node:timers/promises";
import { type Model, ModelError, type ModelMessage, type ModelReply, type ModelRequest, type ToolCall } from "./model";
import { composeAnswer, nextOfSearcher } from "./rehearsal-agent";
import { nextOfSupervisor } from "./rehearsal-supervisor";

/**
 * A stand-in for a language model, and plainly not one: a handful of fixed rules (docs/rehearsal.md) that look only at
 * the request. Deterministic and offline, so that a team, its tools and its questions can be tried without a key.
 */

/** What it says next: some text, or calls, or both. */
export type Next = { text: string; calls?: { name: string; arguments: Record<string, unknown> }[] };

/** A call that was answered earlier in the conversation. `result` is undefined when the tool failed. */
export type PastCall = { name: string; arguments: Record<string, unknown>; result: unknown };

const PIECE_PAUSE_MS = 15;
const WORDS_A_PIECE = 3;

/** @param options.pauseMs Between two streamed pieces; 0 streams without pauses. */
export function rehearsalModel(options: { pauseMs?: number } = {}): Model {
  const pauseMs = options.pauseMs ?? PIECE_PAUSE_MS;
  return {
    provider: "rehearsal",
    name: "rehearsal",
    price: { inputNanoUsd: 0, outputNanoUsd: 0 },
    async complete(request) {
      throwIfCancelled(request.signal);
      const next = nextOf(request);
      if (request.onText) await stream(next.text, request.onText, pauseMs, request.signal);
      return toReply(next, request);
    },
  };
}

function nextOf(request: ModelRequest): Next {
  const past = pastCalls(request.messages);
  const task = request.messages.find((message) => message.role === "user")?.content ?? "";
  const instructions = request.messages.find((message) => message.role === "system")?.content ?? "";
  if (request.tools.some((tool) => tool.name === "agent__spawn")) return nextOfSupervisor(task, request.tools, past);
  return nextOfSearcher({ task, instructions, tools: request.tools, past }) ?? { text: composeAnswer(task) };
}

function pastCalls(messages: readonly ModelMessage[]): PastCall[] {
  const results = new Map<string, string>();
  for (const message of messages) if (message.role === "tool") results.set(message.callId, message.content);
  return messages.flatMap((message) =>
    message.role !== "assistant"
      ? []
      : message.calls.map((call) => {
          const result = parse(results.get(call.id) ?? "");
          const isRefused = typeof result === "object" && result !== null && "tool_call_error" in result;
          const args = (parse(call.arguments) ?? {}) as Record<string, unknown>;
          return { name: call.name, arguments: args, result: isRefused ? undefined : result };
        }),
  );
}

/** Text that is not JSON stands for itself. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

async function stream(text: string, onText: (piece: string) => void, pauseMs: number, signal: AbortSignal) {
  const pieces = text.match(new RegExp(`(?:\\s*\\S+){1,${WORDS_A_PIECE}}\\s*`, "g")) ?? [];
  for (const piece of pieces) {
    if (pauseMs > 0) await wait(pauseMs, undefined, { signal }).catch(() => {});
    throwIfCancelled(signal);
    onText(piece);
  }
}

function throwIfCancelled(signal: AbortSignal) {
  if (signal.aborted) throw new ModelError("cancelled", "The call was cancelled.");
}

function toReply(next: Next, request: ModelRequest): ModelReply {
  const turn = request.messages.length;
  const calls: ToolCall[] = (next.calls ?? []).map((call, position) => ({
    id: `call_${turn}_${position}`,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
  }));
  const sent = request.messages.map((message) => message.content ?? "").join(" ");
  const said = [next.text, ...calls.map((call) => call.arguments)].join(" ");
  return {
    text: next.text || null,
    calls,
    usage: { inputTokens: tokensOf(sent), cachedTokens: 0, outputTokens: tokensOf(said) },
  };
}

/** Four tokens for three words: a rule of thumb, and no tokenizer. */
function tokensOf(text: string): number {
  return Math.ceil(((text.match(/\S+/g)?.length ?? 0) * 4) / 3);
}
