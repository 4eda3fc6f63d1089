import { randomUUID } from "node:crypto";
import type OpenAI from "openai";
import { ModelError, type ModelReply, type ReplyFacts, type TokenUsage, type ToolCall } from "./model";

/** More in one call is no count. Two of them fit a column. */
const MOST_TOKENS = 1_000_000_000;

/** A whole reply that was not streamed. */
export function readReply(completion: OpenAI.ChatCompletion): ModelReply {
  // Not what the type says: a proxy's error page arrives as a string, and some servers answer `{}`.
  const message = (completion as Partial<OpenAI.ChatCompletion> | null)?.choices?.[0]?.message;
  if (!message) throw new ModelError("malformed_reply", "The answer holds no message. Is the base URL right?");
  const calls: ToolCall[] = [];
  for (const call of message.tool_calls ?? []) {
    if (call.type === "custom") continue;
    calls.push({
      id: call.id || newCallId(),
      name: call.function.name,
      arguments: call.function.arguments || "{}",
    });
  }
  const { finish_reason: finishReason } = completion.choices[0] ?? {};
  const told = factsOf({ finishReason, model: completion.model });
  const reasoning = reasoningOf(message);
  return {
    ...{ text: message.content || null, calls, usage: readUsage(completion.usage), told },
    ...(reasoning ? { reasoning } : {}),
  };
}

type Chunk = OpenAI.ChatCompletionChunk;
type CallDelta = OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall;
type Slot = ToolCall & { index: number };

/** Puts a streamed reply together. Pieces of parallel calls may arrive interleaved and split anywhere. */
export class ReplyAssembly {
  /** Set by the chunk with a finish_reason: without one the stream was cut. */
  finished = false;
  #text = "";
  #reasoning = "";
  #slots: Slot[] = [];
  #usage: OpenAI.CompletionUsage | undefined;
  #finishReason: string | undefined;
  #model: string | undefined;

  /** Takes a chunk and returns the text it added. */
  add(chunk: Chunk): string {
    if (chunk.usage) this.#usage = chunk.usage;
    this.#model ??= chunk.model;
    // The chunk that carries the usage has no choices; some servers leave the field out.
    const choice = (chunk.choices as Chunk["choices"] | undefined)?.[0];
    if (!choice) return "";
    if (choice.finish_reason) {
      this.finished = true;
      this.#finishReason = choice.finish_reason;
    }
    const delta = choice.delta as OpenAI.ChatCompletionChunk.Choice.Delta | undefined;
    if (delta?.tool_calls) for (const call of delta.tool_calls) this.#addCall(call);
    this.#reasoning += reasoningOf(delta);
    const piece = delta?.content ?? "";
    this.#text += piece;
    return piece;
  }

  reply(): ModelReply {
    const calls = this.#slots.map(({ id, name, arguments: written }) => ({
      id: id || newCallId(),
      name,
      arguments: written || "{}",
    }));
    const told = factsOf({ finishReason: this.#finishReason, model: this.#model });
    return {
      ...{ text: this.#text || null, calls, usage: readUsage(this.#usage), told },
      ...(this.#reasoning ? { reasoning: this.#reasoning } : {}),
    };
  }

  #addCall(delta: CallDelta) {
    const slot = this.#slotOf(delta);
    if (delta.id) slot.id = delta.id;
    // Some servers repeat the name in every piece, so it is set and never appended.
    if (delta.function?.name) slot.name = delta.function.name;
    slot.arguments += delta.function?.arguments ?? "";
  }

  #slotOf(delta: CallDelta): Slot {
    const index = (delta.index as number | undefined) ?? this.#slots.at(-1)?.index ?? 0;
    // The newest slot of an index: some servers give every parallel call the index 0 and tell them apart by id.
    const known = this.#slots.findLast((slot) => slot.index === index);
    const isAnother = known?.id && delta.id && known.id !== delta.id;
    if (known && !isAnother) return known;
    const slot = { index, id: "", name: "", arguments: "" };
    this.#slots.push(slot);
    return slot;
  }
}

/**
 * Not part of the API's description: DeepSeek, vLLM, SGLang, Moonshot and xAI call it `reasoning_content`, OpenRouter, Groq and Ollama
 * `reasoning`. Who sends both says the same twice.
 */
function reasoningOf(said: object | undefined): string {
  const { reasoning_content: one, reasoning: other } = (said ?? {}) as {
    reasoning_content?: unknown;
    reasoning?: unknown;
  };
  if (typeof one === "string" && one) return one;
  return typeof other === "string" ? other : "";
}

/** For servers that give none. Unlike a position it stays unique over the turns of a conversation. */
function newCallId(): string {
  return `call_${randomUUID().slice(0, 13)}`;
}

/** Not what the types say: servers leave out what they like, and put in what they like. */
function factsOf(of: { finishReason: unknown; model: unknown }): ReplyFacts {
  return {
    ...(isWord(of.finishReason) ? { finishReason: of.finishReason } : {}),
    ...(isWord(of.model) ? { model: of.model } : {}),
  };
}

const isWord = (value: unknown): value is string => typeof value === "string" && value !== "" && value.length <= 200;

/**
 * What is a part of what differs by server: `cached_tokens` are always a part of `prompt_tokens`; `reasoning_tokens` are a part of
 * `completion_tokens` with OpenAI and most others, but beside them with a few (xAI, Gemini's compatible endpoint), whose total says so. Those
 * are added to the output tokens, so that reasoning is a part of them everywhere and is billed once (G-17).
 */
function readUsage(usage: OpenAI.CompletionUsage | undefined): TokenUsage {
  const inputTokens = countOf(usage?.prompt_tokens);
  const completion = countOf(usage?.completion_tokens);
  const reasoningTokens = countOf(usage?.completion_tokens_details?.reasoning_tokens);
  const isBeside =
    reasoningTokens > completion ||
    (reasoningTokens > 0 && usage?.total_tokens === inputTokens + completion + reasoningTokens);
  return {
    inputTokens,
    cachedTokens: Math.min(countOf(usage?.prompt_tokens_details?.cached_tokens), inputTokens),
    outputTokens: isBeside ? completion + reasoningTokens : completion,
    ...(reasoningTokens > 0 ? { reasoningTokens } : {}),
  };
}

/** What a column takes; else it is as if nothing had been said. */
const countOf = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_TOKENS ? Number(value) : 0;
