import { expect, test } from "vitest";
import { batchParameters, type OwnedUnit } from "./batch";
import type { JournalUnit } from "./unit";

const NAMES = [
  "owners",
  "blobs",
  "decisions",
  "children",
  "steps",
  "messages",
  "usages",
  "effects",
  "requests",
  "agents",
  "aborts",
  "events",
  "heads",
  "rest",
] as const;

const owned = (agentRunId: string, unit: number, written: JournalUnit, runId = "run"): OwnedUnit => ({
  owner: { agentRunId, runId, workspaceId: "workspace", epoch: 3, unit },
  unit: written,
});

function tablesOf(units: OwnedUnit[]) {
  const parameters = batchParameters(units);
  expect(parameters).toHaveLength(NAMES.length);
  return Object.fromEntries(NAMES.map((name, i) => [name, JSON.parse(parameters[i] ?? "null")]));
}

const at = "2026-01-01T00:00:00.000Z";
const status = (to: "running" | "waiting") => ({
  body: { kind: "agent.status", status: to, reason: null, at } as const,
});

test("an agent run with several units is one owner, at its newest unit", () => {
  const { owners } = tablesOf([owned("a", 1, {}), owned("b", 7, {}), owned("a", 2, {})]);
  expect(owners).toEqual([
    { a: "a", e: 3, u: 2 },
    { a: "b", e: 3, u: 7 },
  ]);
});

test("tables nobody writes to are null, and rows carry the keys of their owner", () => {
  const tables = tablesOf([
    owned("a", 1, { effects: [{ key: "k", position: 1, tool: "t", args: "h", honours: true, status: "intended" }] }),
  ]);
  expect(tables.effects).toEqual([
    {
      a: "a",
      r: "run",
      w: "workspace",
      e: 3,
      key: "k",
      position: 1,
      tool: "t",
      args: "h",
      honours: true,
      status: "intended",
    },
  ]);
  for (const name of NAMES) if (name !== "owners" && name !== "effects") expect(tables[name]).toBeNull();
});

test("sums of one agent run are added, and the last value of everything else counts", () => {
  const { agents, rest } = tablesOf([
    owned("a", 1, { agent: { input: 10, output: 1, cost: 5, status: "waiting", reason: null, collected: ["x"] } }),
    owned("a", 2, { agent: { input: 20, open: [], collected: ["y"] } }),
    owned("a", 3, { agent: { status: "running", reason: null } }),
  ]);
  expect(agents).toEqual([{ a: "a", input: 30, output: 1, cost: 5, status: "running", reason: null, open: [] }]);
  expect(rest).toEqual({ collected: [{ id: "x" }, { id: "y" }] });
});

test("of a list or a task written several times only the newest is written, each under its owner", () => {
  const list = (goal: string) => ({ goal, items: [], continues: 0 });
  const task = (number: number, status: "pending" | "completed") => ({
    ...{ number, status, subject: "s", description: "", blockedBy: [], agent: null, prompt: null, childId: null },
    ...{ isAutomatic: false, createdAt: at, finishedAt: null },
  });
  const { rest } = tablesOf([
    owned("a", 1, { agent: { todo: list("first") }, tasks: [task(1, "pending"), task(2, "pending")] }),
    owned("a", 2, { agent: { todo: list("second") }, tasks: [task(1, "completed")] }),
    owned("b", 1, { agent: { todo: null } }),
  ]);
  expect(rest.todos).toEqual([
    { a: "a", todo: list("second") },
    { a: "b", todo: null },
  ]);
  expect(rest.tasks.map(({ number, status }: { number: number; status: string }) => [number, status])).toEqual([
    [2, "pending"],
    [1, "completed"],
  ]);
});

test("sums of one run are added over its agent runs, and runs are kept apart", () => {
  const { heads } = tablesOf([
    owned("a", 1, { head: { input: 1, cost: 10, unpriced: 1, requests: 1, status: "waiting", reason: null } }),
    owned("b", 1, { head: { input: 2, output: 4, cost: 20, requests: -1 } }),
    owned("c", 1, { head: { input: 100 } }, "other"),
  ]);
  expect(heads).toMatchObject([
    { r: "run", input: 3, output: 4, cost: 30, unpriced: 1, requests: 0, status: "waiting", reason: null },
    { r: "other", input: 100, output: 0 },
  ]);
});

test("events keep the order of the units, and name their agent run unless they are the run's own", () => {
  const ofRun = {
    agentRunId: null,
    body: { kind: "run.status", status: "running", reason: null, answer: null, at } as const,
  };
  const { events } = tablesOf([
    owned("a", 1, { events: [status("waiting"), ofRun] }),
    owned("b", 1, { events: [{ agentRunId: "child", ...status("running") }] }),
  ]);
  expect(events.map(({ a, kind }: { a: string | null; kind: string }) => [a, kind])).toEqual([
    ["a", "agent.status"],
    [null, "run.status"],
    ["child", "agent.status"],
  ]);
  expect(events[0].body).toEqual({ status: "waiting", reason: null, at });
});

test("of a step that began alone and ends in the same batch nobody is told that it began", () => {
  const begun = (...positions: number[]) => ({
    body: {
      kind: "steps.started",
      steps: positions.map((position) => ({ position, turn: 1, kind: "tool" as const, name: "look", startedAt: at })),
    } as const,
  });
  const step = {
    turn: 1,
    kind: "tool",
    name: "look",
    status: "completed",
    error: null,
    call: null,
    sent: null,
  } as const;
  const decision = {
    ...{ id: "decided", position: 6, ordinal: 40, kind: "guard" as const, options: null, chosen: [] },
    ...{ reason: null, source: "runtime-rule" as const, at },
  };
  const ends = (position: number): JournalUnit => ({
    steps: [{ ...step, position, reply: null, request: null, inb: 0, outb: 0, streamed: false, t0: at, t1: at }],
    events: [{ body: { kind: "step.finished", position } }],
  });
  const { events } = tablesOf([
    owned("a", 1, { events: [begun(1, 2)] }),
    owned("b", 1, { events: [begun(1)] }),
    owned("a", 2, ends(1)),
    owned("c", 1, { events: [begun(4)] }),
    owned("c", 2, ends(4)),
    // Refused, say: a fork from it must take that decision anew.
    owned("d", 1, { events: [begun(6)] }),
    owned("d", 2, { ...ends(6), decisions: [decision] }),
  ]);
  expect(
    events.map(({ a, kind, body }: { a: string; kind: string; body: { steps?: { position: number }[] } }) => [
      a,
      kind,
      body.steps?.map(({ position }) => position),
    ]),
  ).toEqual([
    ["a", "steps.started", [1, 2]],
    ["b", "steps.started", [1]],
    ["a", "step.finished", undefined],
    ["c", "step.finished", undefined],
    ["d", "steps.started", [6]],
    ["d", "step.finished", undefined],
  ]);
});
