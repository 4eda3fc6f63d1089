import { expect, test } from "vitest";
import {
  type AgentSurroundings,
  agentProblems,
  copyName,
  isSameConfig,
  LOOK_FIRST,
  listed,
  problemSentence,
  savedMeanwhile,
} from "./rules";
import { agentConfig } from "./schema";

const BASE = "01900000-0000-7000-8000-000000000001";
const AROUND: AgentSurroundings = {
  tools: new Map([
    ["docs__search", null],
    ["files__read", "The tool server “files” is turned off."],
  ]),
  models: new Map([
    ["acme/large", "chat"],
    ["acme/embed", "embedding"],
  ]),
  bases: new Set([BASE]),
  supervisedIn: [],
};
const GOOD = {
  ...{ purpose: "Finds passages.", instructions: "Search.", model: "acme/large" },
  ...{ tools: ["docs__search"], askBefore: ["docs__search"], knowledge: [BASE] },
};
const problemsOf = (change: object, around: Partial<AgentSurroundings> = {}) =>
  agentProblems(agentConfig.parse({ ...GOOD, ...change }), { ...AROUND, ...around });

test("a whole configuration has no problem, with or without a model of its own", () => {
  expect(problemsOf({})).toEqual([]);
  expect(problemsOf({ model: null })).toEqual([]);
});

test.each([
  [{ instructions: "  \n" }, "instructions", "Write its instructions."],
  [{ model: "acme/small" }, "model", "There is no model “acme/small” here."],
  [{ model: "acme/embed" }, "model", "“acme/embed” is an embedding model"],
  [{ tools: ["docs__search", "files__write"] }, "tools", "There is no tool “files__write”. Take it out."],
  [
    { canSpawnAgents: true, summarizationModel: "acme/small" },
    "summarizationModel",
    "There is no model “acme/small” here.",
  ],
  [{ compaction: { model: "acme/embed" } }, "compaction.model", "“acme/embed” is an embedding model"],
  [
    { tools: ["docs__search", "files__read"] },
    "tools",
    "“files__read” cannot be used: The tool server “files” is turned off.",
  ],
  [
    { toolResilience: { fallback: { use: "cache__read" } } },
    "toolResilience",
    "“cache__read” stands in but is not among its tools.",
  ],
  [{ tools: [] }, "askBefore", "“docs__search” is to ask first but is not among its tools."],
  [{ knowledge: [BASE, BASE.replace(/1$/, "2")] }, "knowledge", "A knowledge base it searches was deleted."],
])("%j is one problem, at %s", (change, field, message) => {
  expect(problemsOf(change)).toEqual([{ field, message: expect.stringContaining(message) }]);
});

test("a model is not missed that nobody would call", () => {
  const gone = "acme/gone";
  expect(problemsOf({ summarizationModel: gone })).toEqual([]);
  expect(problemsOf({ canSpawnAgents: true, summarizationThreshold: null, summarizationModel: gone })).toEqual([]);
  expect(problemsOf({ compaction: { enabled: false, model: gone } })).toEqual([]);
});

test("a purpose is asked for only where a supervisor chooses by it", () => {
  expect(problemsOf({ purpose: " " })).toEqual([]);
  expect(problemsOf({ purpose: " " }, { supervisedIn: ["Desk", "Shop"] })).toEqual([
    { field: "purpose", message: "Write its purpose: the supervisor in “Desk” and “Shop” chooses by it." },
  ]);
  expect(problemsOf({}, { supervisedIn: ["Desk"] })).toEqual([]);
});

test("configurations are the same whatever the order of their fields, and a default is as good as the word", () => {
  expect(isSameConfig({ purpose: "a", instructions: "b" }, { instructions: "b", purpose: "a", tools: [] })).toBe(true);
  expect(isSameConfig({ purpose: "a", instructions: "b" }, { instructions: "b", purpose: "a", tools: ["x"] })).toBe(
    false,
  );
});

test("a newer save is told with its day unless it was today, and one's own as one's own", () => {
  const at = new Date("2026-11-21T12:03:59Z");
  const today = new Date("2026-11-21T23:59:59Z");
  const mara = { by: "Mara Lind", isOwn: false, at };
  expect(savedMeanwhile("agent", mara, LOOK_FIRST, today)).toBe(
    "Mara Lind saved this agent at 12:03 UTC. Reload to see it first.",
  );
  expect(savedMeanwhile("team", { ...mara, by: null }, LOOK_FIRST, new Date("2026-11-22T00:00:00Z"))).toBe(
    "Somebody saved this team on 2026-11-21 at 12:03 UTC. Reload to see it first.",
  );
  expect(savedMeanwhile("agent", { ...mara, isOwn: true }, LOOK_FIRST, today)).toMatch(
    /^You saved this agent in another window at/,
  );
});

test("a refusal carries each problem once", () => {
  const twice = { field: "tools", message: "One." };
  expect(problemSentence("Searcher", [twice, twice, { field: "model", message: "Two." }])).toBe(
    "Searcher cannot be published yet. One. Two.",
  );
});

test("a copy's name is free and fits", () => {
  expect(copyName("Lead", new Set())).toBe("Lead copy");
  expect(copyName("Lead", new Set(["Lead copy", "Lead copy 2"]))).toBe("Lead copy 3");
  expect(copyName("x".repeat(60), new Set())).toBe(`${"x".repeat(55)} copy`);
});

test("words are listed as in a sentence", () => {
  expect([listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])]).toEqual([
    "",
    "a",
    "a and b",
    "a, b and c",
  ]);
});
