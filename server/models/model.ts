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
  | { role: "assistant"; content: string | null; calls: ToolCall[] }
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
  signal: AbortSignal;
  /** Called with each piece of text as it arrives. Without it the reply is not streamed. */
  onText?: (piece: string) => void;
};

export type TokenUsage = { inputTokens: number; cachedTokens: number; outputTokens: number };

export type ModelReply = {
  text: string | null;
  calls: ToolCall[];
  usage: TokenUsage;
};

/** Integer nano-USD for a million tokens. */
export type ModelPrice = { inputNanoUsd: number; outputNanoUsd: number };

export type Model = {
  /** "rehearsal" or the host of the endpoint. */
  provider: string;
  name: string;
  /** Absent when nobody said what it costs; the cost of its calls is then unknown, never zero. */
  price?: ModelPrice;
  complete(request: ModelRequest): Promise<ModelReply>;
};

export type ModelErrorCode =
  | "rate_limited"
  | "unavailable"
  | "timeout"
  | "connection_lost"
  | "malformed_reply"
  | "unauthorized"
  | "unknown_model"
  | "bad_request"
  | "cancelled";

const RETRYABLE: Record<ModelErrorCode, boolean> = {
  rate_limited: true,
  unavailable: true,
  timeout: true,
  connection_lost: true,
  malformed_reply: true,
  unauthorized: false,
  unknown_model: false,
  bad_request: false,
  cancelled: false,
};

/** What went wrong with a model call. `message` is safe to store and show: it never holds a key. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  /** How long the provider asked us to wait, from Retry-After. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ModelErrorCode, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "ModelError";
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }

  get retryable(): boolean {
    return RETRYABLE[this.code];
  }
}

/** Cost of a call in nano-USD, rounded up; null when the price is unknown. */
export function costOf(usage: TokenUsage, price: ModelPrice | undefined): number | null {
  if (!price) return null;
  return Math.ceil((usage.inputTokens * price.inputNanoUsd + usage.outputTokens * price.outputNanoUsd) / 1_000_000);
}
