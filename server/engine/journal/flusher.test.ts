import type pg from "pg";
import { expect, test } from "vitest";
import { Flusher } from "./flusher";
import type { JournalUnit } from "./unit";

/** A database that takes every unit but those with a step of the name "unstorable". */
function aFlusher(): { flusher: Flusher; written: string[] } {
  const written: string[] = [];
  const pool = {
    query: async ({ values }: { values: (string | null)[] }) => {
      const steps: { name: string }[] = JSON.parse(values[4] ?? "[]");
      if (steps.some(({ name }) => name === "unstorable")) throw Object.assign(new Error("no"), { code: "23514" });
      written.push(...steps.map(({ name }) => name));
      return { rows: [] };
    },
  };
  return { flusher: new Flusher(pool as unknown as pg.Pool, { lanes: 1 }), written };
}

const step = (name: string): JournalUnit => ({
  steps: [
    {
      ...{ position: 1, turn: 1, kind: "tool", name, status: "completed", error: null, call: null, sent: null },
      ...{ reply: null, request: null, inb: 0, outb: 0, streamed: false, t0: "", t1: "" },
    },
  ],
});

const outcomes = async (all: Promise<unknown>[]) => (await Promise.allSettled(all)).map(({ status }) => status);

test.each([
  { isFollowed: false, told: ["fulfilled", "rejected", "fulfilled", "fulfilled"], kept: ["a", "after", "b"] },
  { isFollowed: true, told: ["fulfilled", "rejected", "rejected", "fulfilled"], kept: ["a", "b"] },
])("a unit that cannot be stored fails alone, or with what builds on it (followed: $isFollowed)", async (of) => {
  const { flusher, written } = aFlusher();
  const append = (agentRunId: string, unit: number, name: string, isFollowed = false) =>
    flusher.append(0, {
      owner: { agentRunId, runId: "run", workspaceId: "workspace", epoch: 1, unit },
      unit: step(name),
      isFollowed,
    });
  const all = [
    append("one", 1, "a"),
    append("two", 1, "unstorable", of.isFollowed),
    append("two", 2, "after"),
    append("three", 1, "b"),
  ];
  expect(await outcomes(all)).toEqual(of.told);
  expect(written).toEqual(of.kept);
  // Nothing is left behind.
  expect(await outcomes([append("two", 3, "later")])).toEqual(["fulfilled"]);
});
