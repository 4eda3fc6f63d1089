import OpenAI from "openai";
import { type Model, ModelError, type ModelPrice, type ModelReply, type ModelRequest } from "./model";
import { toModelError } from "./openai-errors";
import { toChatParams } from "./openai-messages";
import { ReplyAssembly, readReply } from "./openai-reply";

export type OpenAiCompatibleOptions = {
  /** With the version, e.g. `https://api.openai.com/v1`. */
  baseUrl: string;
  name: string;
  /** Left out for servers that ask for none. */
  apiKey?: string;
  price?: ModelPrice;
  /** The whole call, from request to last byte. */
  timeoutMs?: number;
  /** Silence between two pieces of a streamed reply, and before the first. */
  idleTimeoutMs?: number;
};

const TIMEOUT_MS = 120_000;
const IDLE_TIMEOUT_MS = 60_000;
/** Ours always fires first; the largest a timer can hold. */
const SDK_TIMEOUT_MS = 2_147_483_647;

/**
 * A model behind an OpenAI-compatible chat completions endpoint.
 *
 * It never retries: the engine does, and records each retry. A stream that ends without a finish_reason is
 * `connection_lost`. Usage is what the provider reported; where it reports none the counts are 0, never an estimate.
 * Throws ModelError only.
 */
export function openAiCompatible(options: OpenAiCompatibleOptions): Model {
  const { name, apiKey } = options;
  const client = new OpenAI({
    baseURL: options.baseUrl,
    // Explicit values, because the SDK would otherwise read variables of its own from the environment.
    apiKey: apiKey ?? "none",
    organization: null,
    project: null,
    logLevel: "off",
    maxRetries: 0,
    timeout: SDK_TIMEOUT_MS,
    ...(apiKey ? {} : { defaultHeaders: { authorization: null } }),
  });
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const idleTimeoutMs = Math.min(options.idleTimeoutMs ?? IDLE_TIMEOUT_MS, timeoutMs);
  const secrets = apiKey ? [apiKey] : [];

  async function complete(request: ModelRequest): Promise<ModelReply> {
    const watch = new CallWatch(request.signal, timeoutMs);
    try {
      watch.throwIfEnded();
      if (!request.onText) return await whole(request, watch);
      watch.expectActivity(idleTimeoutMs);
      return await streamed(request, request.onText, watch);
    } catch (error) {
      // An abort of ours surfaces as some error of the SDK; what ended the call is known here.
      watch.throwIfEnded();
      throw toModelError(error, { model: name, secrets });
    } finally {
      watch.close();
    }
  }

  async function whole(request: ModelRequest, watch: CallWatch): Promise<ModelReply> {
    const params = { ...toChatParams(name, request), stream: false as const };
    return readReply(await client.chat.completions.create(params, { signal: watch.signal }));
  }

  async function streamed(request: ModelRequest, onText: (piece: string) => void, watch: CallWatch) {
    const params = {
      ...toChatParams(name, request),
      stream: true as const,
      stream_options: { include_usage: true },
    };
    const stream = await client.chat.completions.create(params, { signal: watch.signal });
    const assembly = new ReplyAssembly();
    try {
      for await (const chunk of stream) {
        watch.touch();
        const piece = assembly.add(chunk);
        if (piece) onText(piece);
      }
    } catch (error) {
      // Cut between the finish_reason and the usage: the reply is whole, and asking again would be paid twice.
      if (!assembly.finished || watch.signal.aborted) throw error;
    }
    // The SDK ends an aborted stream quietly.
    watch.throwIfEnded();
    if (!assembly.finished) throw new ModelError("connection_lost", "The model's answer broke off before its end.");
    return assembly.reply();
  }

  return {
    provider: new URL(options.baseUrl).host,
    name,
    ...(options.price ? { price: options.price } : {}),
    complete,
  };
}

/** Ends a call when its caller cancels, when it takes too long, or when a stream falls silent; remembers which. */
class CallWatch {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #total: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;
  #activeAt = 0;
  #ended: ModelError | undefined;

  constructor(caller: AbortSignal, timeoutMs: number) {
    this.signal = this.#controller.signal;
    this.#caller = caller;
    this.#total = setTimeout(() => {
      this.#end("timeout", `The model did not finish within ${timeoutMs / 1000} s.`);
    }, timeoutMs);
    if (caller.aborted) this.#cancel();
    else caller.addEventListener("abort", this.#cancel, { once: true });
  }

  /** One timer that looks at a timestamp: re-arming a timer for every piece would cost more than the piece. */
  expectActivity(idleMs: number) {
    this.#activeAt = performance.now();
    const look = () => {
      const left = this.#activeAt + idleMs - performance.now();
      if (left > 0) this.#idle = setTimeout(look, left);
      else this.#end("timeout", `The model said nothing for ${idleMs / 1000} s.`);
    };
    this.#idle = setTimeout(look, idleMs);
  }

  touch() {
    this.#activeAt = performance.now();
  }

  throwIfEnded() {
    if (this.#ended) throw this.#ended;
  }

  close() {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    this.#caller.removeEventListener("abort", this.#cancel);
  }

  readonly #cancel = () => this.#end("cancelled", "The call was cancelled.");

  #end(code: "timeout" | "cancelled", message: string) {
    this.#ended ??= new ModelError(code, message);
    this.#controller.abort();
  }
}
