import { APIError } from "openai";
import { afterEach, expect, test } from "vitest";
import { guardedFetchFor } from "@/server/outgoing/guarded-fetch";
import { type Script, type ScriptedModel, startScriptedModel } from "@/tests/support/scripted-model";
import type { Answer } from "@/tests/support/scripted-model-wire";
import { ModelError, type ModelRequest } from "./model";
import { openAiCompatible } from "./openai-compatible";
import { retryAfter, toModelError } from "./openai-errors";

const KEY = "sk-very-secret-0123456789";
const servers: ScriptedModel[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function served(script: Script) {
  const server = await startScriptedModel(script);
  servers.push(server);
  return server;
}

async function modelFor(reply: ReturnType<Script>, options: { timeoutMs?: number; idleTimeoutMs?: number } = {}) {
  const server = await served(() => reply);
  return {
    server,
    model: openAiCompatible({
      baseUrl: server.url,
      fetch: guardedFetchFor(server.url),
      name: "scripted",
      apiKey: KEY,
      ...options,
    }),
  };
}

function requestOf(options: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [{ role: "user", content: "hello" }],
    tools: [],
    signal: new AbortController().signal,
    ...options,
  };
}

async function errorOf(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelError)) throw new Error(`expected a ModelError, got ${String(error)}`);
  return error;
}

const AWKWARD: Answer = {
  text: "naïve – “déjà vu” 🔎 and the end\nof a line",
  calls: [
    { name: "agent__spawn", arguments: { agent: "searcher", prompt: 'say "ü" \\ 🙂\n', reason: "näh" } },
    { name: "agent__spawn", arguments: { agent: "fact-checker", prompt: "{}", reason: "data: x\n\n" } },
  ],
  cutting: "awkward",
  usage: { prompt_tokens: 321, completion_tokens: 12, prompt_tokens_details: { cached_tokens: 300 } },
};
const AWKWARD_CALLS = AWKWARD.calls?.map((call) => ({
  id: expect.stringMatching(/^call_/),
  name: call.name,
  arguments: JSON.stringify(call.arguments),
}));

test("a stream cut inside characters, keys and tool arguments comes out whole, with the usage of its last chunk", async () => {
  const { model } = await modelFor(AWKWARD);
  const pieces: string[] = [];
  const reply = await model.complete(requestOf({ onText: (piece) => pieces.push(piece) }));
  expect(reply.text).toBe(AWKWARD.text);
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces.join("")).toBe(AWKWARD.text);
  expect(reply.calls).toEqual(AWKWARD_CALLS);
  expect(new Set(reply.calls.map(({ id }) => id)).size).toBe(2);
  expect(reply.usage).toEqual({ inputTokens: 321, cachedTokens: 300, outputTokens: 12 });
});

test("a reply that is not streamed is the same reply", async () => {
  const { model } = await modelFor(AWKWARD);
  const reply = await model.complete(requestOf());
  expect(reply).toEqual({
    text: AWKWARD.text,
    calls: AWKWARD_CALLS,
    usage: { inputTokens: 321, cachedTokens: 300, outputTokens: 12 },
    told: { finishReason: "tool_calls" },
  });
});

test("beside a streamed reply it is told how it ended and how it arrived", async () => {
  const { model } = await modelFor(AWKWARD);
  const { told } = await model.complete(requestOf({ onText: () => {} }));
  expect(told).toEqual({
    finishReason: "tool_calls",
    firstPieceMs: expect.any(Number),
    pieces: expect.any(Number),
  });
  expect(told?.pieces).toBeGreaterThan(1);
});

test("an endpoint that does not say which model answered is not quoted as having said so", async () => {
  const answer = async (model?: string) =>
    Response.json({
      ...{ id: "1", object: "chat.completion", created: 1, ...(model ? { model } : {}) },
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "hi" } }],
    });
  const toldBy = async (named?: string) => {
    const fetch = () => answer(named);
    const model = openAiCompatible({ baseUrl: "http://127.0.0.1:1", fetch, name: "asked", apiKey: KEY });
    return (await model.complete(requestOf())).told;
  };
  expect(await toldBy("asked")).toEqual({ finishReason: "stop" });
  expect(await toldBy("asked-2026")).toEqual({ finishReason: "stop", model: "asked-2026" });
  expect(await toldBy()).toEqual({ finishReason: "stop", isUnnamed: true });
});

test("a reply without usage counts nothing", async () => {
  const { model } = await modelFor({ text: "hi", usage: null });
  const none = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
  expect((await model.complete(requestOf())).usage).toEqual(none);
  expect((await model.complete(requestOf({ onText: () => {} }))).usage).toEqual(none);
});

test("earlier calls and results are sent as the API writes them, and malformed arguments as valid JSON", async () => {
  const bodies: unknown[] = [];
  const server = await served((request) => {
    bodies.push(request);
    return { text: "ok" };
  });
  const model = openAiCompatible({
    baseUrl: server.url,
    fetch: guardedFetchFor(server.url),
    name: "scripted",
    apiKey: KEY,
  });
  await model.complete(
    requestOf({
      messages: [
        { role: "system", content: "be brief" },
        { role: "assistant", content: null, calls: [{ id: "a", name: "look", arguments: '{"q": ' }] },
        { role: "tool", callId: "a", content: "no" },
      ],
      tools: [{ name: "look", description: "looks", parameters: { type: "object" } }],
      temperature: 0.2,
    }),
  );
  expect(bodies).toEqual([
    {
      model: "scripted",
      stream: false,
      temperature: 0.2,
      messages: [
        { role: "system", content: "be brief" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            {
              id: "a",
              type: "function",
              function: { name: "look", arguments: '{"malformed_arguments":"{\\"q\\": "}' },
            },
          ],
        },
        { role: "tool", tool_call_id: "a", content: "no" },
      ],
      tools: [{ type: "function", function: { name: "look", description: "looks", parameters: { type: "object" } } }],
    },
  ]);
});

test("429 carries how long to wait, and nothing is retried here", async () => {
  const { model, server } = await modelFor({ fault: "status", status: 429, headers: { "retry-after": "1" } });
  const error = await errorOf(model.complete(requestOf({ onText: () => {} })));
  expect(error).toMatchObject({ code: "rate_limited", retryAfterMs: 1000, retryable: true });
  expect(server.stats().requests).toBe(1);
});

test("Retry-After is read as milliseconds, seconds or a date", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const read = (headers: Record<string, string>) => retryAfter(new Headers(headers), now);
  expect(read({ "retry-after-ms": "250", "retry-after": "9" })).toBe(250);
  expect(read({ "retry-after": "1.5" })).toBe(1500);
  expect(read({ "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT" })).toBe(7000);
  expect(read({ "retry-after": "Wed, 31 Dec 2025 23:59:00 GMT" })).toBe(0);
  expect(read({ "retry-after": "soon" })).toBeUndefined();
  expect(read({})).toBeUndefined();
});

test.each([
  [500, "", "unavailable"],
  [503, "", "unavailable"],
  [401, `Incorrect API key provided: ${KEY}`, "unauthorized"],
  [403, KEY, "unauthorized"],
  [404, "no such thing", "unknown_model"],
  [400, "model “x” not found, try pulling it first", "unknown_model"],
  [400, `temperature is odd for ${KEY}`, "bad_request"],
  [422, "no", "bad_request"],
  [400, "max_tokens is too large: 9000. This model supports at most 4096 completion tokens", "bad_request"],
  [400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", "context_too_long"],
  [400, "the request exceeds the available context size, try increasing it", "context_too_long"],
  [400, "prompt is too long: 210000 tokens > 200000 maximum", "context_too_long"],
  [400, "Please reduce the length of the messages or completion.", "context_too_long"],
  [400, "The input token count (1100000) exceeds the maximum number of tokens allowed", "context_too_long"],
  [429, "Reduce the length of the messages, or wait for your tokens per minute", "rate_limited"],
  [429, `too many for ${KEY}`, "rate_limited"],
])("%i %s is %s with its status, and its message never holds the key", async (status, message, code) => {
  const { model } = await modelFor({ fault: "status", status, message });
  const error = await errorOf(model.complete(requestOf()));
  expect(error.code).toBe(code);
  expect(error.facts.httpStatus).toBe(status);
  expect(error.message).not.toContain(KEY);
  expect(error.cause).toBeUndefined();
});

test("the code of a provider is enough to know that a conversation is too long, whatever it says", async () => {
  const error = APIError.generate(
    400,
    { error: { code: "context_length_exceeded", message: "No." } },
    "",
    new Headers(),
  );
  expect(toModelError(error, { model: "small", secrets: [] })).toMatchObject({
    code: "context_too_long",
    retryable: false,
    message: expect.stringContaining("longer than the model “small” takes"),
  });
});

test.each(["drop", "unfinished"] as const)("a stream that ends early (%s) is a lost connection", async (fault) => {
  const pieces: string[] = [];
  const { model } = await modelFor({ fault, answer: { text: "a long answer that will not be finished" } });
  const error = await errorOf(model.complete(requestOf({ onText: (piece) => pieces.push(piece) })));
  expect(error.code).toBe("connection_lost");
  expect(pieces.length).toBeGreaterThan(0);
});

test("a body that breaks off is a lost connection", async () => {
  const { model } = await modelFor({ fault: "drop", answer: { text: "a long answer" } });
  expect((await errorOf(model.complete(requestOf()))).code).toBe("connection_lost");
});

test("an endpoint nobody listens on is unreachable", async () => {
  const { model, server } = await modelFor({ text: "never" });
  await server.close();
  expect(await errorOf(model.complete(requestOf()))).toMatchObject({
    code: "unreachable",
    facts: { host: "127.0.0.1" },
  });
});

test("malformed JSON is a malformed reply, streamed or not", async () => {
  const { model } = await modelFor({ fault: "malformed" });
  expect((await errorOf(model.complete(requestOf()))).code).toBe("malformed_reply");
  expect((await errorOf(model.complete(requestOf({ onText: () => {} })))).code).toBe("malformed_reply");
});

test.each([true, false])("cancelling closes the connection (streamed: %s)", async (isStreamed) => {
  const controller = new AbortController();
  const { model, server } = await modelFor(isStreamed ? { text: "word ".repeat(2000), gapMs: 5 } : { fault: "hang" });
  const onText = isStreamed ? () => controller.abort() : undefined;
  const pending = errorOf(model.complete(requestOf({ signal: controller.signal, ...(onText ? { onText } : {}) })));
  if (!isStreamed) {
    await expect.poll(() => server.stats().requests).toBe(1);
    controller.abort();
  }
  expect((await pending).code).toBe("cancelled");
  const [conversation] = Object.values(server.stats().conversations);
  expect(conversation?.steps[0]?.requested).toBe(1);
  await expect
    .poll(() => Object.values(server.stats().conversations)[0]?.steps[0])
    .toMatchObject(isStreamed ? { answered: 0, closed: 1 } : { failed: 1 });
});

test("a call that was cancelled before it began is never sent", async () => {
  const { model, server } = await modelFor({ text: "hi" });
  const error = await errorOf(model.complete(requestOf({ signal: AbortSignal.abort() })));
  expect(error.code).toBe("cancelled");
  expect(server.stats().requests).toBe(0);
});

test("an answer that never comes is a timeout", async () => {
  const { model } = await modelFor({ fault: "hang" }, { timeoutMs: 50 });
  expect(await errorOf(model.complete(requestOf()))).toMatchObject({ code: "timeout", retryable: true });
});

test("a stream that falls silent is a timeout, long before the whole call's", async () => {
  const { model } = await modelFor({ fault: "stall", text: "so far" }, { timeoutMs: 60_000, idleTimeoutMs: 1_000 });
  const pieces: string[] = [];
  const error = await errorOf(model.complete(requestOf({ onText: (piece) => pieces.push(piece) })));
  expect(error).toMatchObject({ code: "timeout", message: "The model said nothing for 1 s." });
  expect(pieces).toEqual(["so far"]);
});

test("a stream that keeps talking outlives the idle timeout", async () => {
  const { model } = await modelFor({ text: "word ".repeat(150), gapMs: 10 }, { idleTimeoutMs: 1_000 });
  expect((await model.complete(requestOf({ onText: () => {} }))).text).toBe("word ".repeat(150));
});
