import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolCall } from "@/server/models/model";
import { argumentsOf, decisionOf } from "./turn-decision";

const call = (name: string, args: unknown, id = name): ToolCall => ({ id, name, arguments: JSON.stringify(args) });
const decide = (text: string | null, calls: ToolCall[]) => decisionOf({ text }, calls, 5);

test("an answer is a finish, and the answer itself is not taken for a reason", () => {
  expect(decide("42.", [])).toEqual({
    kind: "finish",
    chosen: [{ option: "answer", label: "Answer", position: null, reason: null }],
    reason: null,
    source: "not-stated",
  });
});

test("a spawn is a delegation to that agent, for the reason the model gave", () => {
  expect(
    decide(null, [call("agent__spawn", { agent: "Writer", prompt: "Write.", reason: " It writes well. " })]),
  ).toEqual({
    kind: "delegate",
    chosen: [{ option: "agent:Writer", label: "Writer", position: 5, reason: "It writes well." }],
    reason: "It writes well.",
    source: "model-stated",
  });
});

test("several calls are one decision: each keeps its reason and the step that carries it out", () => {
  const decision = decide("Let me look.", [
    call("agent__spawn", { agent: "Searcher", reason: "It finds." }, "1"),
    call("docs__search", { query: "x" }, "2"),
    call("agent__spawn", { agent: "Checker", reason: "It checks." }, "3"),
  ]);
  expect(decision.kind).toBe("delegate");
  expect(decision.chosen.map(({ option, position }) => [option, position])).toEqual([
    ["agent:Searcher", 5],
    ["docs__search", 6],
    ["agent:Checker", 7],
  ]);
  expect(decision.reason).toBe("Searcher: It finds.\nChecker: It checks.");
});

test("without a reason argument the text beside the calls is the reason", () => {
  expect(decide(" I need figures. ", [call("docs__search", { query: "x" })])).toMatchObject({
    kind: "tool_choice",
    reason: "I need figures.",
    source: "model-stated",
  });
});

test("where nothing was said, nothing is invented", () => {
  for (const text of [null, "", "  \n"]) {
    expect(decide(text, [call("docs__search", { query: "x", reason: "" })])).toMatchObject({
      reason: null,
      source: "not-stated",
    });
  }
});

test("reasons are cut at 2,000 characters", () => {
  expect(decide(null, [call("docs__search", { reason: "r".repeat(3_000) })]).reason).toHaveLength(2_000);
  expect(decide("t".repeat(3_000), [call("docs__search", {})]).reason).toHaveLength(2_000);
});

test("a source is given exactly when there is a reason, whatever the model sends", () => {
  const anyCall = fc.record({ id: fc.string(), name: fc.string(), arguments: fc.oneof(fc.string(), fc.json()) });
  fc.assert(
    fc.property(fc.option(fc.string()), fc.array(anyCall, { maxLength: 6 }), (text, calls) => {
      const decision = decide(text, calls);
      expect(decision.source === "model-stated").toBe(decision.reason !== null);
      expect(decision.chosen).toHaveLength(Math.max(1, calls.length));
      if (calls.length) expect(decision.chosen.map(({ position }) => position)).toEqual(calls.map((_, i) => 5 + i));
    }),
  );
});

test("arguments are an object whatever was written", () => {
  expect(argumentsOf(call("x", { a: 1 }))).toEqual({ a: 1 });
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const value = argumentsOf({ id: "1", name: "x", arguments: text });
      expect(Object.prototype.toString.call(value)).toBe("[object Object]");
    }),
  );
});

test("where the model says no reason, how its reasoning ended is one, and its source says so", () => {
  const reasoning = "Three agents could.\n\nThe Writer writes well.";
  const claimed = { reason: "The Writer writes well.", source: "provider-reasoning" };
  expect(decisionOf({ text: null, reasoning }, [call("look_up", {})], 5)).toMatchObject({
    kind: "tool_choice",
    ...claimed,
  });
  expect(decisionOf({ text: "42.", reasoning }, [], 5)).toMatchObject({ kind: "finish", ...claimed });
  // What it says itself comes first.
  const stated = { source: "model-stated" };
  expect(decisionOf({ text: "I look.", reasoning }, [call("look_up", {})], 5)).toMatchObject({
    reason: "I look.",
    ...stated,
  });
  expect(decisionOf({ text: null, reasoning }, [call("look_up", { reason: "It has it." })], 5)).toMatchObject({
    ...{ reason: "It has it.", ...stated },
  });
});
