import type { ToldFacts } from "@/server/engine/resilience/error-details";
import type { Subject } from "@/server/engine/resilience/gates";
import type { EffectivePolicy } from "@/server/engine/resilience/policy";
import type { RejectionCode } from "@/server/engine/resilience/rejection";

/** The one interface to a language model. Adapters translate; the engine knows nothing else. */

export type ToolCall = {
  id: string;
  name: string;
  /** JSON exactly as the model wrote it: it may be malformed, and the engine says so to the model. */
  arguments: string;
};

export type ModelMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string }
  /** `told` is kept with what was said, and never sent again. */
  | { role: "assistant"; content: string | null; calls: ToolCall[]; told?: ReplyFacts }
  | { role: "tool"; callId: string; content: string };

export type ToolSpec = {
  name: string;
  description: string;
  /** JSON schema of the arguments. */
  parameters: Record<string, unknown>;
};

export type ModelRequest = {
  messages: readonly ModelMessage[];
  tools: readonly ToolSpec[];
  temperature?: number;
  /** Longest reply to ask for, in tokens; absent: the provider's own limit. */
  maxOutputTokens?: number;
  signal: AbortSignal;
  /** Called with each piece of text as it arrives. Without it the reply is not streamed. */
  onText?: (piece: string) => void;
};

/**
 * What a reply used, as its endpoint counted it. Cached tokens are a part of the input tokens, tokens of reasoning a part of the output
 * tokens, wherever the endpoint counts them itself: none is in two sums.
 */
export type TokenUsage = {
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  /** Absent: none, or not told. */
  reasoningTokens?: number;
};

/** What an endpoint told of a reply beside it, and how it arrived; each only where it is known (LLM-OBS-02, LLM-OBS-08). */
export type ReplyFacts = {
  /** In the endpoint's word: stop, length, tool_calls, content_filter… */
  finishReason?: string;
  /** The model that answered, where that is another name than was asked for. */
  model?: string;
  /** It named no model. */
  isUnnamed?: true;
  /** From asking to the first piece, in milliseconds; only where it was streamed. */
  firstPieceMs?: number;
  pieces?: number;
};

/** As it lies beside a stored reply. Of calls from before usages had tokens of reasoning they are here. */
export type StoredFacts = ReplyFacts & { reasoningTokens?: number };

export type ModelReply = {
  text: string | null;
  calls: ToolCall[];
  /** What it thought before it spoke, where its endpoint sends that: to be looked at, and never sent again. */
  reasoning?: string;
  usage: TokenUsage;
  told?: ReplyFacts;
};

/** Integer nano-USD for a million tokens. */
export type ModelPrice = {
  inputNanoUsd: number;
  outputNanoUsd: number;
  /** Of input tokens that the provider had in its cache; null: as others. */
  cachedNanoUsd?: number | null;
  /** Of output tokens that were reasoning; null: as others. */
  reasoningNanoUsd?: number | null;
};

export type Model = {
  /** "rehearsal" or the host of the endpoint. */
  provider: string;
  name: string;
  /** Absent when nobody said what it costs; the cost of its calls is then unknown, never zero. */
  price?: ModelPrice;
  /** Tokens it takes at most, what it is sent and what it says together. Absent when nobody knows. */
  contextTokens?: number;
  /** Base address its calls go to, without credentials; absent: it is in this process. */
  endpoint?: string;
  /** Id of the provider that allows only so many calls at once; absent: any number. */
  limitedBy?: string;
  /** What its provider's policy guards its calls with; absent: nothing. */
  guard?: ModelGuard;
  complete(request: ModelRequest): Promise<ModelReply>;
};

export type ModelGuard = { subject: Subject; policy: EffectivePolicy };

/** Finds the models a workspace may use. */
export type ModelDirectory = {
  /** `ref` is "provider/model". Throws ModelError unknown_model when it is gone, in words that name it. */
  find(workspaceId: string, ref: string): Promise<Model>;
};

export type ModelErrorCode =
  | "rate_limited"
  | "unavailable"
  | "overloaded"
  /** Nobody answers at that address. */
  | "unreachable"
  | "timeout"
  | "connection_lost"
  | "malformed_reply"
  | "unauthorized"
  | "unknown_model"
  | "context_too_long"
  | "content_filtered"
  | "tools_unsupported"
  | "capability_missing"
  | "bad_request"
  | "cancelled"
  /** The call was not made: its provider's policy let it not. */
  | RejectionCode;

const RETRYABLE: Record<ModelErrorCode, boolean> = {
  rate_limited: true,
  unavailable: true,
  overloaded: true,
  unreachable: true,
  timeout: true,
  connection_lost: true,
  malformed_reply: true,
  unauthorized: false,
  unknown_model: false,
  context_too_long: false,
  content_filtered: false,
  tools_unsupported: false,
  capability_missing: false,
  bad_request: false,
  cancelled: false,
  breaker_open: true,
  rate_exceeded: true,
  bulkhead_full: true,
};

/** What went wrong with a model call. `message` is safe to store and show: it never holds a key. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  /** What was told beside the code. */
  readonly facts: ToldFacts;

  constructor(code: ModelErrorCode, message: string, { cause, ...facts }: ToldFacts & { cause?: unknown } = {}) {
    super(message, { cause });
    this.name = "ModelError";
    this.code = code;
    this.facts = facts;
  }

  /** How long the provider asked us to wait, from Retry-After. */
  get retryAfterMs(): number | undefined {
    return this.facts.retryAfterMs;
  }

  get retryable(): boolean {
    return RETRYABLE[this.code];
  }
}
