import { expect, test } from "vitest";
import { toolPolicy } from "@/server/tools/tool-policy";
import { callKeyOf } from "./call-key";

type Idempotency = Parameters<typeof callKeyOf>[0]["policy"];
const keyOf = (idempotency: Partial<Idempotency>, args: unknown, more = {}) =>
  callKeyOf({
    tool: "shop__order",
    policy: toolPolicy.parse({ idempotency }).idempotency,
    args,
    ...{ runId: "r", agentRunId: "a", turnPosition: 3, ...more },
  });
const whole = { strategy: "hash_input" } as const;
const byTitle = { strategy: "explicit", fields: ["issue.title", "tags.1"] } as const satisfies Partial<Idempotency>;
const issue = (title: unknown, tags: unknown = ["a", "b"], more = {}) => ({ issue: { title }, tags, ...more });

test("calls with the same input are one call, in whatever order it is written", () => {
  const one = keyOf(whole, { a: 1, b: { c: [1, 2], d: "x" } });
  expect(keyOf(whole, { b: { d: "x", c: [1, 2] }, a: 1 })).toEqual(one);
  expect(keyOf(whole, { a: 1, b: { c: [2, 1], d: "x" } })).not.toEqual(one);
  expect(one.key).toMatch(/^shop__order:[0-9a-f]{64}$/);
});

test("the same input of another tool is another call", () => {
  expect(keyOf(whole, {}, { tool: "shop__cancel" })).not.toEqual(keyOf(whole, {}));
});

test("named fields make the call, others may differ", () => {
  const one = keyOf(byTitle, issue("Broken", ["a", "b"], { at: "09:00" }));
  expect(keyOf(byTitle, issue("Broken", ["c", "b"], { at: "09:01" }))).toEqual(one);
  expect(keyOf(byTitle, issue("Mended"))).not.toEqual(one);
});

test.each([
  [{}, ["issue.title", "tags.1"]],
  [issue("", ["a"]), ["issue.title", "tags.1"]],
  [issue(null), ["issue.title"]],
  [{ issue: "title", tags: "ab" }, ["issue.title", "tags.1"]],
  [null, ["issue.title", "tags.1"]],
])("fields that are missing in %j are named", (args, missing) => {
  expect(keyOf(byTitle, args)).toEqual({ key: null, missing });
});

test("a field of 0 or false is there", () => {
  expect(keyOf({ strategy: "explicit", fields: ["n"] }, { n: 0 }).key).not.toBeNull();
  expect(keyOf({ strategy: "explicit", fields: ["n"] }, { n: false }).key).not.toBeNull();
});

test("what lies in every object is no argument", () => {
  expect(keyOf({ strategy: "explicit", fields: ["constructor.name"] }, {})).toMatchObject({ key: null });
});

test("nothing is known of calls whose keys are not made of their arguments", () => {
  expect(keyOf({ strategy: "none" }, {})).toEqual({ key: null, missing: [] });
  expect(keyOf({ strategy: "uuid" }, {})).toEqual({ key: null, missing: [] });
});

test("in a run, and in a turn, the same input elsewhere is another call", () => {
  const key = (scope: Idempotency["scope"], more = {}) => keyOf({ ...whole, scope }, { a: 1 }, more).key;
  expect(key("workspace", { runId: "r2" })).toBe(key("workspace"));
  expect(key("run", { runId: "r2" })).not.toBe(key("run"));
  expect(key("run", { agentRunId: "a2", turnPosition: 9 })).toBe(key("run"));
  expect(key("turn", { turnPosition: 9 })).not.toBe(key("turn"));
  expect(key("turn", { agentRunId: "a2" })).not.toBe(key("turn"));
  expect(new Set([key("workspace"), key("run"), key("turn")]).size).toBe(3);
});
