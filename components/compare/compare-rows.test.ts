import { expect, test } from "vitest";
import { uuid } from "@/components/runs/run-test-log";
import type { ComparedEntry, ComparedPair, PairState } from "@/server/runs/compare/schema";
import { type CompareRow, differencesIn, listCompareRows } from "./compare-rows";

const agent = (name: string) => ({ id: uuid(1), name, status: "completed" as const, statusReason: null });
const pair = (name: string, over: Partial<ComparedPair> = {}): ComparedPair => ({
  ...{ state: "same", ahead: false, left: agent(name), right: agent(name), parent: null, under: null, entries: [] },
  ...over,
});
const entries = (...states: PairState[]): ComparedEntry[] =>
  states.map((state, position) => {
    const place = {
      ...{ type: "step" as const, position, turn: 1, kind: "tool" as const, name: `t${position}` },
      ...{ status: "completed" as const, note: null },
    };
    return {
      ...{ state, ahead: false },
      left: state === "only-right" ? null : place,
      right: state === "only-left" ? null : place,
    };
  });
const same = (count: number) => new Array<PairState>(count).fill("same");

const told = (row: CompareRow) => {
  const indent = " ".repeat(row.depth);
  if (row.type === "agent")
    return `${indent}${row.pair.left?.name ?? row.pair.right?.name}${row.unfolded ? "" : ` (${row.hides})`}`;
  if (row.type === "stretch") return `${indent}${row.count} ${row.of}`;
  if (row.type === "left-out") return `${indent}left out ${row.entries.same}+${row.entries.different}`;
  return `${indent}${row.entry.state}`;
};
const shown = (pairs: ComparedPair[], ...unfolded: string[]) => listCompareRows(pairs, new Set(unfolded)).map(told);

test("what is the same is folded, and says how much it is; what differs never is", () => {
  const pairs = [pair("Lead", { entries: entries(...same(24), "changed", ...same(2), "only-left", ...same(5)) })];
  expect(shown(pairs)).toEqual(["Lead", " 24 same", " changed", " same", " same", " only-left", " 5 same"]);
  expect(shown(pairs, "f0.0")).toHaveLength(7 + 24);
  expect(differencesIn(listCompareRows(pairs, new Set()))).toEqual(["0.24", "0.27"]);
});

test("an agent run in which nothing differs is one row, in the stretch of the decision that started it", () => {
  const pairs = [
    pair("Lead", { entries: entries(...same(4), "changed") }),
    pair("Quiet", { parent: 0, under: 1, entries: entries(...same(7)) }),
    pair("Other", { parent: 0, under: null, entries: entries("same", "changed") }),
  ];
  expect(shown(pairs)).toEqual(["Lead", " 4 same", " changed", " Other", "  same", "  changed"]);
  expect(shown(pairs, "f0.0")).toEqual([
    ...["Lead", " 4 same", " same", " same", "  Quiet (7)", " same", " same", " changed"],
    ...[" Other", "  same", "  changed"],
  ]);
  expect(shown(pairs, "f0.0", "a1")).toContain("   7 same");
});

test("a decision that started an agent run in which something differs stays in sight", () => {
  const pairs = [
    pair("Lead", { entries: entries(...same(9)) }),
    pair("Child", { parent: 0, under: 4, entries: entries("changed") }),
  ];
  expect(shown(pairs)).toEqual(["Lead", " 4 same", " same", "  Child", "   changed", " 4 same"]);
});

test("an agent run that only one run has is one difference, whatever it did and started", () => {
  const pairs = [
    pair("Lead", { entries: entries("same") }),
    pair("Alone", { state: "only-left", right: null, parent: 0, under: 0, entries: entries("only-left", "only-left") }),
    pair("Below", { state: "only-left", right: null, parent: 1, under: 0, entries: entries("only-left") }),
  ];
  expect(shown(pairs)).toEqual(["Lead", " same", "  Alone (4)"]);
  expect(shown(pairs, "a1", "a2")).toEqual([
    ...["Lead", " same", "  Alone", "   only-left", "    Below", "     only-left", "   only-left"],
  ]);
  expect(differencesIn(listCompareRows(pairs, new Set(["a1", "a2"])))).toEqual(["a1"]);
});

test("what a run at work has not come to is folded, and no difference", () => {
  const ahead = entries("only-left", "only-left", "only-left", "only-left").map((entry) => ({ ...entry, ahead: true }));
  const pairs = [
    pair("Lead", { entries: [...entries("same"), ...ahead] }),
    pair("Later", { state: "only-left", ahead: true, right: null, parent: 0, under: 2, entries: entries("only-left") }),
  ];
  expect(shown(pairs)).toEqual(["Lead (7)"]);
  expect(shown(pairs, "a0")).toEqual(["Lead", " same", " 4 ahead"]);
  expect(differencesIn(listCompareRows(pairs, new Set(["a0", "f0.1", "a1"])))).toEqual([]);
});

test("what was not sent is told in its place", () => {
  const pairs = [pair("Lead", { entries: [{ state: "left-out", same: 9_000, different: 2 }, ...entries("changed")] })];
  expect(shown(pairs)).toEqual(["Lead", " left out 9000+2", " changed"]);
});

test("nothing", () => {
  expect(shown([])).toEqual([]);
});
