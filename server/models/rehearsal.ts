import { setTimeout as wait } from "node:timers/promises";
import { type Model, ModelError, type ModelMessage, type ModelReply, type ModelRequest, type ToolCall } from "./model";
import { composeAnswer, nextOfSearcher } from "./rehearsal-agent";
import { judgeByCitations } from "./rehearsal-judge";
import { handOn, nextOfSupervisor } from "./rehearsal-supervisor";
import { keywordsOf, tellingPieces } from "./rehearsal-text";

/**
 * A stand-in for a language model, and plainly not one: a handful of fixed rules (docs/rehearsal.md) that look only at
 * the request. Deterministic and offline, so that a team, its tools and its questions can be tried without a key.
 */

/** What it says next: some text, or calls, or both. */
export type Next = { text: string; calls?: { name: string; arguments: Record<string, unknown> }[] };

/** A call that was answered earlier in the conversation. `result` is undefined when the tool failed. */
export type PastCall = { name: string; arguments: Record<string, unknown>; result: unknown };

/** How agents and workspaces name it. */
export const REHEARSAL_REF = "rehearsal/rehearsal";

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
  const task = taskOf(request.messages);
  const instructions = request.messages.find((message) => message.role === "system")?.content ?? "";
  if (instructions.startsWith("You condense ")) return { text: tellingPieces(request.messages.at(-1)?.content ?? "") };
  const verdict = judgeByCitations(request.messages.at(-1)?.content ?? "");
  if (verdict) return { text: verdict };
  if (request.tools.some(({ name }) => name === "agent__spawn" || name === "agent__task_create"))
    return nextOfSupervisor({ task, tools: request.tools, past, asked: questionsIn(request.messages) });
  const found = nextOfSearcher({ task, instructions, tools: request.tools, past });
  return found ? handOn(found, request.tools, past) : { text: composeAnswer(task) };
}

/** Fewer telling words than this is a follow-up that only the question before it makes sense of. */
const ENOUGH_WORDS = 4;

/** What was asked last; a short follow-up with the question before it. */
function taskOf(messages: readonly ModelMessage[]): string {
  const [last = "", before] = messages
    .flatMap(({ role, content }) => (role === "user" && !LISTS_QUESTIONS.test(content ?? "") ? [content ?? ""] : []))
    .reverse();
  return before && keywordsOf(last).length < ENOUGH_WORDS ? `${last} (${before})` : last;
}

const LISTS_QUESTIONS = /"pending_escalations"/;

/** Ids of what agents below asked so far. */
function questionsIn(messages: readonly ModelMessage[]): string[] {
  const lists = messages.filter(({ role, content }) => role !== "assistant" && LISTS_QUESTIONS.test(content ?? ""));
  return [...new Set(lists.flatMap(({ content }) => content?.match(/\besc_[0-9a-f]{8}\b/g) ?? []))];
}

/** The calls of a conversation that were answered, in order. */
export function pastCalls(messages: readonly ModelMessage[]): PastCall[] {
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

/** What it says next, as a model's reply with a guess at the tokens. */
export function toReply(next: Next, request: ModelRequest): ModelReply {
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
