import { expect, test } from "vitest";
import type { TeamPlace } from "@/server/teams/schema";
import {
  addUnder,
  agentsAbove,
  canMoveUnder,
  countBelow,
  findPlace,
  moveUnder,
  parentPath,
  shift,
  toRows,
  withPlace,
} from "./team-tree";

const place = (agentId: string, ...children: TeamPlace[]): TeamPlace => ({ agentId, purpose: null, children });
const team = () => place("lead", place("a", place("a1"), place("a2")), place("b"), place("c"));
const inWords = (root: TeamPlace | null) => toRows(root).map((row) => `${row.path || "-"} ${row.place.agentId}`);

test("rows name a supervisor before those under it", () => {
  expect(inWords(team())).toEqual(["- lead", "0 a", "0.0 a1", "0.1 a2", "1 b", "2 c"]);
  expect(toRows(null)).toEqual([]);
});

test("an added place is the last under its supervisor", () => {
  const { root, path } = addUnder(team(), "1", place("b1"));
  expect(path).toBe("1.0");
  expect(findPlace(root, path)?.agentId).toBe("b1");
});

test("a place moves among those beside it, with all below it, and stops at the ends", () => {
  const down = shift(team(), "0", 1);
  expect(inWords(down.root)).toEqual(["- lead", "0 b", "1 a", "1.0 a1", "1.1 a2", "2 c"]);
  expect(down.path).toBe("1");
  expect(shift(team(), "2", 1)).toEqual({ root: team(), path: "2" });
  expect(shift(team(), "", -1).path).toBe("");
});

test("a place moves under another, whose path may change by that", () => {
  const { root, path } = moveUnder(team(), "0", "1");
  expect(inWords(root)).toEqual(["- lead", "0 b", "0.0 a", "0.0.0 a1", "0.0.1 a2", "1 c"]);
  expect(path).toBe("0.0");
});

test("a place moves up to the supervisor of its supervisor", () => {
  const { root, path } = moveUnder(team(), "0.0", "");
  expect(inWords(root)).toEqual(["- lead", "0 a", "0.0 a2", "1 b", "2 c", "3 a1"]);
  expect(path).toBe("3");
});

test("nothing moves under itself, under those below it, or to where it is", () => {
  expect(canMoveUnder("0", "0.1")).toBe(false);
  expect(canMoveUnder("0", "0")).toBe(false);
  expect(canMoveUnder("0", "")).toBe(false);
  expect(canMoveUnder("", "1")).toBe(false);
  expect(canMoveUnder("0.1", "1")).toBe(true);
  expect(moveUnder(team(), "0", "0.1").root).toEqual(team());
});

test("a removed place takes those below it along", () => {
  expect(inWords(withPlace(team(), "0", () => null))).toEqual(["- lead", "0 b", "1 c"]);
  expect(withPlace(team(), "", () => null)).toBeNull();
});

test("a change leaves the tree it came from as it was", () => {
  const before = team();
  withPlace(before, "0.1", (each) => ({ ...each, purpose: "new" }));
  moveUnder(before, "0", "1");
  expect(before).toEqual(team());
});

test("the agents above a place are those it would repeat", () => {
  expect([...agentsAbove(team(), "0.1")]).toEqual(["lead", "a", "a2"]);
  expect([...agentsAbove(null, "")]).toEqual([]);
});

test("parents and counts", () => {
  expect([parentPath(""), parentPath("2"), parentPath("0.1")]).toEqual([null, "", "0"]);
  expect(countBelow(team())).toBe(5);
});
