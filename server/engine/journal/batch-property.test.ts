import fc from "fast-check";
import { expect, test } from "vitest";
import { batchParameters, type OwnedUnit } from "./batch";
import { merged } from "./merged";
import type { JournalUnit } from "./unit";

/** Places of what units add up in, among the parameters of journal_write(). */
const AGENTS = 9;
const EVENTS = 11;
const HEADS = 12;
const SUMS = ["input", "output", "cost", "unpriced", "requests"] as const;

const amount = fc.nat({ max: 1_000_000 });
const status = fc.constantFrom("running", "waiting", "completed" as const);
const at = "2026-01-01T00:00:00.000Z";

/** What one step may add to its agent run and its run. */
const unit: fc.Arbitrary<JournalUnit> = fc
  .record(
    {
      agent: fc.record(
        { input: amount, output: amount, cost: amount, status, recorded: fc.constant(true) },
        { requiredKeys: [] },
      ),
      head: fc.record(
        {
          input: amount,
          output: amount,
          cost: amount,
          unpriced: amount,
          requests: fc.integer({ min: -3, max: 3 }),
          status,
        },
        { requiredKeys: [] },
      ),
      events: fc.array(status, { maxLength: 3 }),
    },
    { requiredKeys: [] },
  )
  .map(({ events, ...rest }) => ({
    ...rest,
    ...(events
      ? { events: events.map((to) => ({ body: { kind: "agent.status", status: to, reason: null, at } as const })) }
      : {}),
  })) as fc.Arbitrary<JournalUnit>;

const AGENTS_OF = { a: "r", b: "r", c: "s" } as const;
const units: fc.Arbitrary<OwnedUnit[]> = fc
  .array(fc.tuple(fc.constantFrom(...(Object.keys(AGENTS_OF) as (keyof typeof AGENTS_OF)[])), unit), { maxLength: 30 })
  .map((all) =>
    all.map(([agentRunId, written], nth) => ({
      owner: { agentRunId, runId: AGENTS_OF[agentRunId], workspaceId: "w", epoch: 1, unit: nth },
      unit: written,
    })),
  );

type Row = Record<string, number | string | boolean | undefined>;
const rowsOf = (parameters: (string | null)[], table: number) => JSON.parse(parameters[table] ?? "[]") as Row[];

/** Rows of a table as the database has them after the batches: sums are added, of everything else the last value stays. */
function applied(batches: (string | null)[][], table: number, key: "a" | "r"): Map<unknown, Row> {
  const kept = new Map<unknown, Row>();
  for (const batch of batches) {
    for (const row of rowsOf(batch, table)) {
      const before = kept.get(row[key]) ?? {};
      const sums = SUMS.map((name) => [name, Number(before[name] ?? 0) + Number(row[name] ?? 0)] as const);
      kept.set(row[key], { ...before, ...row, ...Object.fromEntries(sums) });
    }
  }
  return kept;
}

/** The list in pieces that end at these places. */
function cut<T>(all: readonly T[], places: readonly number[]): T[][] {
  const ends = [...new Set([...places.map((place) => place % (all.length + 1)), all.length])].sort((a, b) => a - b);
  return ends.map((end, nth) => all.slice(nth === 0 ? 0 : ends[nth - 1], end));
}

test("however the units of many agent runs are put into batches, the rows come to the same, and events keep their order", () => {
  fc.assert(
    fc.property(units, fc.array(fc.nat(), { maxLength: 5 }), (all, places) => {
      const oneByOne = all.map((owned) => batchParameters([owned]));
      const batches = cut(all, places).map((some) => batchParameters(some));
      expect(applied(batches, AGENTS, "a")).toEqual(applied(oneByOne, AGENTS, "a"));
      expect(applied(batches, HEADS, "r")).toEqual(applied(oneByOne, HEADS, "r"));
      expect(batches.flatMap((batch) => rowsOf(batch, EVENTS))).toEqual(
        oneByOne.flatMap((batch) => rowsOf(batch, EVENTS)),
      );
    }),
  );
});

test("a batch has one row for an agent run and one for a run, whatever it holds", () => {
  fc.assert(
    fc.property(units, (all) => {
      const batch = batchParameters(all);
      for (const [table, key] of [
        [AGENTS, "a"],
        [HEADS, "r"],
      ] as const) {
        const keys = rowsOf(batch, table).map((row) => row[key]);
        expect(new Set(keys).size).toBe(keys.length);
      }
    }),
  );
});

test("units merge the same in whatever order they are put together, and nothing changes nothing", () => {
  fc.assert(
    fc.property(unit, unit, unit, (one, two, three) => {
      expect(merged(merged(one, two), three)).toEqual(merged(one, merged(two, three)));
      expect(merged(one, two, three)).toEqual(merged(merged(one, two), three));
      expect(merged({}, one)).toEqual(merged(one));
      expect(merged(one, {})).toEqual(merged(one));
    }),
  );
});
