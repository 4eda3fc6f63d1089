import type OpenAI from "openai";
import { expect, test } from "vitest";
import { ReplyAssembly } from "./openai-reply";

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
