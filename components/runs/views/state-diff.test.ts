import { expect, it } from "vitest";
import type { Snapshot } from "@/server/runs/queries/inside/schema";
import { diffStates, momentWords } from "./state-diff";

const none = { messages: 0, bytes: 0 };
const BEFORE: Snapshot = {
  ...{
    seq: 3,
    at: null,
    agent: { name: "Lead", handle: "agent_1", version: 2 },
    status: "running",
    statusReason: null,
  },
  ...{ task: "Answer it.", model: "m", turns: 1, steps: 1, failedSteps: 0 },
  todo: { goal: "Answer", items: [{ id: 1, text: "Search", done: false }], continues: 0 },
  context: { system: none, user: none, assistant: none, tool: none, reportedTokens: null },
  spent: {
    ...{
      calls: 1,
      inputTokens: 10,
      cachedTokens: 0,
      outputTokens: 2,
      costNanoUsd: 0,
      unpricedCalls: 0,
      silentCalls: 0,
    },
  },
  ...{ children: [], tasks: [], mails: [], requests: [], variables: [], entities: [] },
};

it("tells what is new, gone, changed and the same between two moments", () => {
  const after: Snapshot = {
    ...BEFORE,
    todo: {
      goal: "Answer",
      items: [
        { id: 1, text: "Search", done: true },
        { id: 2, text: "Write", done: false },
      ],
      continues: 0,
    },
    children: [{ id: "c", name: "Searcher", status: "running", reason: null }],
    spent: { ...BEFORE.spent, inputTokens: 30 },
  };
  const moved = diffStates(BEFORE, after).filter(({ kind }) => kind !== "same");
  expect(moved.map(({ name, before, after: now, kind }) => [name, before, now, kind])).toEqual([
    ["Search", "Open", "Done", "changed"],
    ["Write", null, "Open", "new"],
    ["Searcher", null, "Running", "new"],
    ["Tokens in", "10", "30", "changed"],
  ]);
  const back = diffStates(after, BEFORE).filter(({ kind }) => kind === "gone");
  expect(back.map(({ name }) => name)).toEqual(["Write", "Searcher"]);
  expect(diffStates(BEFORE, BEFORE).every(({ kind }) => kind === "same")).toBe(true);
});

it("tells which variables and entities came, went and changed, a type as well as a value", () => {
  const before: Snapshot = {
    ...BEFORE,
    variables: [
      { name: "priority", value: "5" },
      { name: "seen", value: false },
      { name: "desk", value: "support" },
    ],
    entities: [{ type: "order", id: "4711" }],
  };
  const after: Snapshot = {
    ...BEFORE,
    variables: [
      { name: "priority", value: 5 },
      { name: "seen", value: true },
      { name: "desk", value: "support" },
    ],
    entities: [
      { type: "order", id: "4711", label: "Kettle" },
      { type: "customer", id: "4711" },
    ],
  };
  const moved = diffStates(before, after).filter(({ kind }) => kind !== "same");
  expect(moved.map(({ section, name, before: was, after: now, kind }) => [section, name, was, now, kind])).toEqual([
    ["Variables", "priority, number", "5", "5", "changed"],
    ["Variables", "seen, yes or no", "no", "yes", "changed"],
    ["Entities", "order 4711", "Tracked", "Kettle", "changed"],
    ["Entities", "customer 4711", null, "Tracked", "new"],
  ]);
  const gone = diffStates(after, BEFORE).filter(({ kind }) => kind === "gone");
  expect(gone.map(({ name }) => name)).toEqual([
    ...["priority, number", "seen, yes or no", "desk, text"],
    ...["order 4711", "customer 4711"],
  ]);
});

it("names a moment by what was decided", () => {
  expect(momentWords({ kind: "delegate", chosen: [{ label: "Searcher" }, { label: "Writer" }] })).toBe(
    "Delegate → Searcher, Writer",
  );
  expect(momentWords({ kind: "tool_choice", chosen: [{ label: "search" }, { label: "search" }] })).toBe(
    "Call → search ×2",
  );
  expect(momentWords({ kind: "finish", chosen: [{ label: "Finish" }] })).toBe("Finish");
});
