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
  const { agents } = tablesOf([
    owned("a", 1, { agent: { input: 10, output: 1, cost: 5, status: "waiting", reason: null, collected: ["x"] } }),
    owned("a", 2, { agent: { input: 20, open: [], collected: ["y"] } }),
    owned("a", 3, { agent: { status: "running", reason: null } }),
  ]);
  expect(agents).toEqual([
    { a: "a", input: 30, output: 1, cost: 5, status: "running", reason: null, open: [], collected: ["x", "y"] },
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
