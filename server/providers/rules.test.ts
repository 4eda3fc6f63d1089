import { expect, test } from "vitest";
import { baseUrlProblem, isSameOrigin, keyHint, readModelList, usesSentence } from "./rules";

const plain = {
  ...{ kind: "chat", contextTokens: null, inputNanoUsdPerMtok: null, outputNanoUsdPerMtok: null },
  ...{ cachedNanoUsdPerMtok: null, reasoningNanoUsdPerMtok: null },
} as const;

test("OpenAI's list has names only; what is no chat or embedding model is left out", () => {
  const names = ["gpt-5", "text-embedding-3-small", "whisper-1", "tts-1-hd", "dall-e-3", "omni-moderation-latest"];
  expect(readModelList({ object: "list", data: names.map((id) => ({ id, object: "model" })) })).toEqual([
    { ...plain, name: "gpt-5" },
    { ...plain, name: "text-embedding-3-small", kind: "embedding" },
  ]);
});

test.each([
  {
    of: "OpenRouter",
    item: { context_length: 200_000, pricing: { prompt: "0.000003", completion: "0.000015" } },
    contextTokens: 200_000,
    prices: [3_000_000_000, 15_000_000_000],
  },
  {
    of: "OpenRouter's router",
    item: { pricing: { prompt: "-1", completion: "-1" } },
    contextTokens: null,
    prices: [null, null],
  },
  { of: "free models", item: { pricing: { prompt: "0", completion: "0" } }, contextTokens: null, prices: [0, 0] },
  {
    of: "Together",
    item: { context_length: 8192, pricing: { input: 0.88, output: 0.88 } },
    contextTokens: 8192,
    prices: [880_000_000, 880_000_000],
  },
  { of: "Groq", item: { context_window: 131_072 }, contextTokens: 131_072, prices: [null, null] },
  { of: "Mistral", item: { max_context_length: 32_768 }, contextTokens: 32_768, prices: [null, null] },
  { of: "vLLM", item: { max_model_len: 4096 }, contextTokens: 4096, prices: [null, null] },
  { of: "llama.cpp", item: { meta: { n_ctx_train: 40_960 } }, contextTokens: 40_960, prices: [null, null] },
  {
    of: "LiteLLM",
    item: { model_info: { max_input_tokens: 1000, input_cost_per_token: 1e-7, output_cost_per_token: 4e-7 } },
    contextTokens: 1000,
    prices: [100_000_000, 400_000_000],
  },
  {
    of: "DeepInfra",
    item: { metadata: { context_length: 10, pricing: { input_tokens: 0.05, output_tokens: 0.1 } } },
    contextTokens: 10,
    prices: [50_000_000, 100_000_000],
  },
  {
    of: "nonsense",
    item: { context_length: "many", pricing: { prompt: "free", completion: {} } },
    contextTokens: null,
    prices: [null, null],
  },
])("context and prices as $of gives them", ({ item, contextTokens, prices: [input, output] }) => {
  expect(readModelList({ data: [{ id: "m/x", ...item }] })).toEqual([
    { ...plain, name: "m/x", contextTokens, inputNanoUsdPerMtok: input, outputNanoUsdPerMtok: output },
  ]);
});

test.each([
  {
    of: "OpenRouter",
    item: {
      pricing: { prompt: "0.000003", completion: "0.000015", input_cache_read: "3e-7", internal_reasoning: "0.00002" },
    },
    prices: [300_000_000, 20_000_000_000],
  },
  // It says 0 of nearly every model that reasons, and bills its reasoning as output.
  {
    of: "OpenRouter, of what has none of its own",
    item: { pricing: { prompt: "0.000003", completion: "0.000015", input_cache_read: "0", internal_reasoning: "0" } },
    prices: [null, null],
  },
  {
    of: "LiteLLM",
    item: { model_info: { cache_read_input_token_cost: 5e-8, output_cost_per_reasoning_token: 6e-7 } },
    prices: [50_000_000, 600_000_000],
  },
  { of: "DeepInfra", item: { metadata: { pricing: { cache_read_tokens: 0.014 } } }, prices: [14_000_000, null] },
  { of: "Together", item: { pricing: { input: 0.6, output: 1.7, cached_input: 0.11 } }, prices: [110_000_000, null] },
])("prices of cached tokens and of reasoning as $of gives them", ({ item, prices: [cached, reasoning] }) => {
  expect(readModelList({ data: [{ id: "m/x", ...item }] })).toMatchObject([
    { cachedNanoUsdPerMtok: cached, reasoningNanoUsdPerMtok: reasoning },
  ]);
});

test("an empty list is a list; a page, a message or a list of something else is none", () => {
  expect(readModelList({ data: [] })).toEqual([]);
  expect(readModelList([{ id: "a" }, { id: "a" }])).toEqual([{ ...plain, name: "a" }]);
  for (const other of [null, "hello", { error: {} }, { data: {} }, { data: [1, "x"] }]) {
    expect(readModelList(other)).toBeNull();
  }
});

test("an address holds no password, no query and no path of one call", () => {
  expect(baseUrlProblem("https://api.openai.com/v1")).toBeNull();
  expect(baseUrlProblem("http://localhost:11434/v1/")).toBeNull();
  expect(baseUrlProblem("https://me:secret@example.org/v1")).toMatch(/without a user name or password/);
  expect(baseUrlProblem("https://example.org/v1?key=secret")).toMatch(/without “\?”/);
  expect(baseUrlProblem("https://example.org/v1/chat/completions")).toMatch(/up to its version only/);
  expect(baseUrlProblem("http://[::1")).toMatch(/no web address/);
});

test("a hint tells keys apart and gives no short key away", () => {
  expect(keyHint("sk-0123456789abcdef")).toBe("…cdef");
  expect(keyHint("hunter2")).toBe("…");
});

test("an address of the same server is another path, not another port, scheme or host", () => {
  expect(isSameOrigin("https://a.test/v1", "https://a.test/v2")).toBe(true);
  for (const other of ["http://a.test/v1", "https://a.test:8443/v1", "https://b.test/v1", "nonsense"]) {
    expect(isSameOrigin("https://a.test/v1", other)).toBe(false);
  }
});

test("what uses a model is named", () => {
  expect(usesSentence({ agents: [], bases: [], providers: [], isDefault: false, isFinding: false })).toBeNull();
  expect(usesSentence({ agents: [], bases: [], providers: [], isDefault: false, isFinding: true })).toBe(
    "runs and decisions are found by it",
  );
  expect(
    usesSentence({ agents: ["Ann", "Bob"], bases: ["Docs"], providers: [], isDefault: true, isFinding: false }),
  ).toBe("it is the workspace's default model; the agents “Ann”, “Bob”; the knowledge base “Docs”");
  expect(
    usesSentence({ agents: Array(12).fill("A"), bases: [], providers: [], isDefault: false, isFinding: false }),
  ).toMatch(/ and 4 more$/);
});
