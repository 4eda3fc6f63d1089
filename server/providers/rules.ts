import { HIDDEN_KEY, type ModelFields, type ModelPrices } from "./schema";

/** How many models of an endpoint's list are looked at. */
const MOST_MODELS = 3000;
const NANO_PER_USD = 1_000_000_000;
const TOKENS_PER_MTOK = 1_000_000;

/** The end of a key, to tell keys apart; of a short one nothing, for it would be most of it. */
export function keyHint(apiKey: string): string {
  return apiKey.length >= 16 ? `…${apiKey.slice(-4)}` : HIDDEN_KEY;
}

/** Two addresses belong to the same server. Unreadable ones never do. */
export function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

/** What stands in the way of using a web address as the base of an endpoint; null: nothing. */
export function baseUrlProblem(baseUrl: string): string | null {
  if (!URL.canParse(baseUrl)) return "This is no web address. Write it like https://api.openai.com/v1.";
  const url = new URL(baseUrl);
  if (url.username || url.password)
    return "Write the address without a user name or password; a key has its own field.";
  if (url.search || url.hash) return "Write the address without “?” and “#” and what follows them.";
  if (/\/(chat\/completions|completions|embeddings|models)\/*$/.test(url.pathname)) {
    return "Write the address up to its version only, e.g. https://api.openai.com/v1.";
  }
  return null;
}

/** Without slashes at the end: paths are appended. */
export const cleanBaseUrl = (baseUrl: string) => baseUrl.replace(/\/+$/, "");

type Item = Record<string, unknown>;

/**
 * Reads the answer to GET /models, in any of the shapes seen: OpenAI's {data}, {models}, or a bare list. Context and
 * prices are taken where OpenRouter, Together, DeepInfra, Groq, Mistral, vLLM, LiteLLM or llama.cpp give them; null where
 * nobody says. Models that plainly do something else (speech, pictures) are left out. Null: this is no list of models.
 */
export function readModelList(body: unknown): ModelFields[] | null {
  const list = Array.isArray(body) ? body : isItem(body) ? (body.data ?? body.models) : null;
  if (!Array.isArray(list)) return null;
  const models = new Map<string, ModelFields>();
  for (const item of list.slice(0, MOST_MODELS)) {
    const name = isItem(item) ? (item.id ?? item.name ?? item.model) : null;
    if (!isItem(item) || typeof name !== "string" || !name.trim() || name.length > 200) continue;
    if (isOfAnotherKind(name, item)) continue;
    models.set(name.trim(), {
      name: name.trim(),
      kind: kindOf(name, item),
      contextTokens: contextOf(item),
      ...pricesOf(item),
    });
  }
  // A list of which nothing could be read is not one of models.
  if (list.length > 0 && models.size === 0 && !list.some((item) => isItem(item) && typeof item.id === "string"))
    return null;
  return [...models.values()].sort((a, b) => a.name.localeCompare(b.name, "en"));
}

const EMBEDDING_NAME = /embed|(^|[/:_-])(bge|gte|e5|minilm|mxbai|nomic|arctic-embed|voyage)(-|$)|text-similarity/i;
const OTHER_NAME =
  /whisper|(^|[/_-])tts(-|$)|dall-e|moderation|rerank|stable-diffusion|(^|\/)flux|sora|gpt-image|transcribe/i;
const OTHER_TYPE = /^(image|audio|speech|transcribe|moderation|rerank|video)/i;

function kindOf(name: string, item: Item): ModelFields["kind"] {
  if (typeof item.type === "string" && /embed/i.test(item.type)) return "embedding";
  return EMBEDDING_NAME.test(name) ? "embedding" : "chat";
}

const isOfAnotherKind = (name: string, item: Item) =>
  (typeof item.type === "string" && OTHER_TYPE.test(item.type)) || OTHER_NAME.test(name);

function contextOf(item: Item): number | null {
  const inside = [item.model_info, item.metadata, item.meta, item.top_provider].filter(isItem);
  const names = [
    ...["context_length", "context_window", "max_model_len", "max_context_length", "max_input_tokens"],
    ...["max_tokens_context", "n_ctx", "n_ctx_train"],
  ];
  for (const source of [item, ...inside]) {
    for (const name of names) {
      const tokens = Number(source[name]);
      if (Number.isInteger(tokens) && tokens > 0 && tokens <= 100_000_000) return tokens;
    }
  }
  return null;
}

function pricesOf(item: Item): ModelPrices {
  const pricing = isItem(item.pricing) ? item.pricing : {};
  const details = [item.model_info, item.litellm_params, item].filter(isItem);
  const metadata = isItem(item.metadata) && isItem(item.metadata.pricing) ? item.metadata.pricing : {};
  const aToken = (name: string) => details.map((detail) => detail[name]).find((value) => value !== undefined);
  const read = (perToken: unknown[], perMtok: unknown[]) =>
    first(perToken.map((usd) => nanoUsd(usd, TOKENS_PER_MTOK))) ?? first(perMtok.map((usd) => nanoUsd(usd, 1)));
  return {
    inputNanoUsdPerMtok: read([pricing.prompt, aToken("input_cost_per_token")], [pricing.input, metadata.input_tokens]),
    outputNanoUsdPerMtok: read(
      [pricing.completion, aToken("output_cost_per_token")],
      [pricing.output, metadata.output_tokens],
    ),
    cachedNanoUsdPerMtok: ownPrice(
      read(
        [pricing.input_cache_read, aToken("cache_read_input_token_cost")],
        [pricing.cached_input, metadata.cache_read_tokens],
      ),
    ),
    reasoningNanoUsdPerMtok: ownPrice(
      read([pricing.internal_reasoning, aToken("output_cost_per_reasoning_token")], []),
    ),
  };
}

/** Lists say 0 of what has no price of its own: it costs what other tokens do, and is not free. */
const ownPrice = (nanoUsd: number | null) => nanoUsd || null;

const first = (values: (number | null)[]) => values.find((value) => value !== null) ?? null;

/** Null for what is no price: absent, not a number, or negative, which OpenRouter says where the price varies. */
function nanoUsd(usd: unknown, times: number): number | null {
  if ((typeof usd !== "string" && typeof usd !== "number") || usd === "") return null;
  const nano = Math.round(Number(usd) * times * NANO_PER_USD);
  return Number.isSafeInteger(nano) && nano >= 0 && nano <= 1_000_000_000_000_000 ? nano : null;
}

function isItem(value: unknown): value is Item {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Uses = { agents: string[]; bases: string[]; providers: string[]; isDefault: boolean; isFinding: boolean };

/** "the agents “A” and “B”, the default model"; null: nothing uses it. */
export function usesSentence({ agents, bases, providers, isDefault, isFinding }: Uses) {
  const parts = [
    ...(isDefault ? ["it is the workspace's default model"] : []),
    ...(isFinding ? ["runs and decisions are found by it"] : []),
    ...(agents.length ? [`the ${agents.length === 1 ? "agent" : "agents"} ${quoted(agents)}`] : []),
    ...(bases.length ? [`the knowledge ${bases.length === 1 ? "base" : "bases"} ${quoted(bases)}`] : []),
    ...(providers.length ? [`it stands in for models of ${quoted(providers)}`] : []),
  ];
  return parts.length ? parts.join("; ") : null;
}

const MOST_NAMED = 8;

function quoted(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => `“${name}”`);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
