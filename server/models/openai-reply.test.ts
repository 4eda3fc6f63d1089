import type OpenAI from "openai";
import { expect, test } from "vitest";
import { ReplyAssembly, readReply } from "./openai-reply";

/** Shapes that servers send although the API's description does not. */
type LooseCall = { index?: number; id?: string; function?: { name?: string; arguments?: string } };

function assemble(...deltas: LooseCall[]) {
  const assembly = new ReplyAssembly();
  for (const delta of deltas) {
    const chunk = { choices: [{ index: 0, delta: { tool_calls: [delta] }, finish_reason: null }] };
    assembly.add(chunk as unknown as OpenAI.ChatCompletionChunk);
  }
  return assembly.reply().calls;
}

test("parallel calls that all claim index 0 are told apart by their id", () => {
  expect(
    assemble(
      { index: 0, id: "a", function: { name: "one", arguments: '{"x":1}' } },
      { index: 0, id: "b", function: { name: "two", arguments: '{"x":' } },
      { index: 0, function: { arguments: "2}" } },
    ),
  ).toEqual([
    { id: "a", name: "one", arguments: '{"x":1}' },
    { id: "b", name: "two", arguments: '{"x":2}' },
  ]);
});

test("calls without an index go on where the last one is", () => {
  expect(
    assemble(
      { id: "a", function: { name: "one", arguments: "{" } },
      { function: { arguments: "}" } },
      { id: "b", function: { name: "two" } },
    ),
  ).toEqual([
    { id: "a", name: "one", arguments: "{}" },
    { id: "b", name: "two", arguments: "{}" },
  ]);
});

test("a name and an id repeated in every piece are taken once", () => {
  expect(
    assemble(
      { index: 0, id: "a", function: { name: "one", arguments: "{" } },
      { index: 0, id: "a", function: { name: "one", arguments: "}" } },
    ),
  ).toEqual([{ id: "a", name: "one", arguments: "{}" }]);
});

test("calls without ids get ids that differ over turns too", () => {
  const turns = [0, 1].flatMap(() =>
    assemble({ index: 0, function: { name: "one" } }, { index: 1, function: { name: "two" } }),
  );
  expect(new Set(turns.map(({ id }) => id)).size).toBe(4);
});

test("a chunk without choices changes nothing", () => {
  const assembly = new ReplyAssembly();
  expect(assembly.add({} as OpenAI.ChatCompletionChunk)).toBe("");
  expect(assembly.finished).toBe(false);
});

const usageOf = (usage: object) =>
  readReply({
    choices: [{ index: 0, message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }],
    usage,
  } as unknown as OpenAI.ChatCompletion).usage;

test.each([
  {
    of: "OpenAI counts reasoning in the completion",
    usage: { prompt_tokens: 10, completion_tokens: 30, total_tokens: 40 },
    reads: { inputTokens: 10, cachedTokens: 0, outputTokens: 30, reasoningTokens: 20 },
  },
  {
    of: "xAI counts it beside the completion, as the total says",
    usage: { prompt_tokens: 10, completion_tokens: 30, total_tokens: 60 },
    reads: { inputTokens: 10, cachedTokens: 0, outputTokens: 50, reasoningTokens: 20 },
  },
  {
    of: "more reasoning than completion can only be beside it",
    usage: { prompt_tokens: 10, completion_tokens: 5 },
    reads: { inputTokens: 10, cachedTokens: 0, outputTokens: 25, reasoningTokens: 20 },
  },
])("$of: it is a part of the output tokens here, and counted once", ({ usage, reads }) => {
  expect(usageOf({ ...usage, completion_tokens_details: { reasoning_tokens: 20 } })).toEqual(reads);
});

test("counts that are none are as if nothing had been said, and no more is cached than was sent", () => {
  const details = { prompt_tokens_details: { cached_tokens: 99 } };
  expect(usageOf({ prompt_tokens: 10, completion_tokens: 5, ...details })).toMatchObject({ cachedTokens: 10 });
  const odd = { prompt_tokens: "many", completion_tokens: -3, completion_tokens_details: { reasoning_tokens: 1.5 } };
  expect(usageOf(odd)).toEqual({ inputTokens: 0, cachedTokens: 0, outputTokens: 0 });
  expect(usageOf({ prompt_tokens: 1e15, completion_tokens: 5 })).toMatchObject({ inputTokens: 0, outputTokens: 5 });
});

test.each(["reasoning_content", "reasoning"])(
  "what is sent as %s is what it thought, whole or in pieces, and no text",
  (name) => {
    const whole = readReply({
      choices: [
        { index: 0, message: { role: "assistant", content: "Yes.", [name]: "Is it? It is." }, finish_reason: "stop" },
      ],
    } as unknown as OpenAI.ChatCompletion);
    expect(whole).toMatchObject({ text: "Yes.", reasoning: "Is it? It is." });

    const assembly = new ReplyAssembly();
    const add = (delta: object) =>
      assembly.add({ choices: [{ index: 0, delta, finish_reason: null }] } as unknown as OpenAI.ChatCompletionChunk);
    expect([add({ [name]: "Is it? " }), add({ [name]: "It is.", content: null }), add({ content: "Yes." })]).toEqual([
      ...["", "", "Yes."],
    ]);
    expect(assembly.reply()).toMatchObject({ text: "Yes.", reasoning: "Is it? It is." });
  },
);

test("one that sends it under both names thought it once, and what is no text is nothing", () => {
  const assembly = new ReplyAssembly();
  const add = (delta: object) =>
    assembly.add({ choices: [{ index: 0, delta, finish_reason: null }] } as unknown as OpenAI.ChatCompletionChunk);
  add({ reasoning_content: "Hm.", reasoning: "Hm." });
  add({ reasoning: { effort: "high" } });
  expect(assembly.reply().reasoning).toBe("Hm.");
  expect(new ReplyAssembly().reply()).not.toHaveProperty("reasoning");
});
