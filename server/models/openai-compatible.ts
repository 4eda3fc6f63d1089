import { type Model, ModelError, type ModelPrice, type ModelReply, type ModelRequest, type ReplyFacts } from "./model";
import { type EndpointOptions, openAiClient } from "./openai-client";
import { type Remedies, toModelError } from "./openai-errors";
import { toChatParams } from "./openai-messages";
import { ReplyAssembly, readReply } from "./openai-reply";

export type OpenAiCompatibleOptions = EndpointOptions & {
  name: string;
  /** What stands before the slash in references to it; the endpoint's host unless told. */
  provider?: string;
  price?: ModelPrice;
  contextTokens?: number;
  /** The whole call, from request to last byte. */
  timeoutMs?: number;
  /** Silence between two pieces of a streamed reply, and before the first. */
  idleTimeoutMs?: number;
  /** What to correct when a call fails; the environment's variables unless told. */
  remedies?: Remedies;
};

const TIMEOUT_MS = 120_000;
const IDLE_TIMEOUT_MS = 60_000;

/**
 * A model behind an OpenAI-compatible chat completions endpoint.
 *
 * It never retries: the engine does, and records each retry. A stream that ends without a finish_reason is
 * `connection_lost`. Usage is what the provider reported; where it reports none the counts are 0, never an estimate.
 * Throws ModelError only.
 */
export function openAiCompatible(options: OpenAiCompatibleOptions): Model {
  const { name, apiKey, remedies, contextTokens } = options;
  const client = openAiClient(options);
  const url = new URL(options.baseUrl);
  const { host } = url;
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
      throw toModelError(error, {
        ...{ model: name, secrets, url },
        ...(remedies ? { remedies } : {}),
        ...(contextTokens ? { contextTokens } : {}),
      });
    } finally {
      watch.close();
    }
  }

  async function whole(request: ModelRequest, watch: CallWatch): Promise<ModelReply> {
    const params = { ...toChatParams(name, request, host), stream: false as const };
    return withFacts(readReply(await client.chat.completions.create(params, { signal: watch.signal })), {});
  }

  async function streamed(request: ModelRequest, onText: (piece: string) => void, watch: CallWatch) {
    const params = {
      ...toChatParams(name, request, host),
      stream: true as const,
      stream_options: { include_usage: true },
    };
    const askedAt = performance.now();
    let firstPieceMs: number | undefined;
    let pieces = 0;
    const stream = await client.chat.completions.create(params, { signal: watch.signal });
    const assembly = new ReplyAssembly();
    try {
      for await (const chunk of stream) {
        watch.touch();
        pieces += 1;
        firstPieceMs ??= Math.round(performance.now() - askedAt);
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
    return withFacts(assembly.reply(), { pieces, ...(firstPieceMs === undefined ? {} : { firstPieceMs }) });
  }

  /** A model that is called what was asked for is not named again. */
  function withFacts(reply: ModelReply, also: ReplyFacts): ModelReply {
    const { model, ...told } = reply.told ?? {};
    const named = model ? (model === name ? {} : { model }) : { isUnnamed: true as const };
    return { ...reply, told: { ...told, ...named, ...also } };
  }

  return {
    provider: options.provider ?? host,
    name,
    endpoint: url.origin + url.pathname.replace(/\/+$/, ""),
    ...(options.price ? { price: options.price } : {}),
    ...(options.contextTokens ? { contextTokens: options.contextTokens } : {}),
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
      this.#end("timeout", `The model did not finish within ${timeoutMs / 1000} s.`, { timeoutMs });
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
      else this.#end("timeout", `The model said nothing for ${idleMs / 1000} s.`, { timeoutMs: idleMs });
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

  #end(code: "timeout" | "cancelled", message: string, facts: { timeoutMs?: number } = {}) {
    this.#ended ??= new ModelError(code, message, facts);
    this.#controller.abort();
  }
}
