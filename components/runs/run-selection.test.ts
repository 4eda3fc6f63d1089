import { describe, expect, it } from "vitest";
import { NOTHING_PICKED, pickLoaded, pickRow } from "./run-selection";

const ORDER = ["a", "b", "c", "d", "e"];
const picked = (...presses: (string | [string])[]) =>
  [
    ...presses.reduce(
      (selection, press) => pickRow(selection, ORDER, { id: String(press), reach: Array.isArray(press) }),
      NOTHING_PICKED,
    ).picked,
  ].sort();

describe("selecting runs", () => {
  it("picks a row and lets it go again", () => {
    expect(picked("b", "d")).toEqual(["b", "d"]);
    expect(picked("b", "d", "b")).toEqual(["d"]);
  });

  it("reaches from the last row pressed to this one, in either direction", () => {
    expect(picked("b", ["d"])).toEqual(["b", "c", "d"]);
    expect(picked("d", ["b"])).toEqual(["b", "c", "d"]);
    expect(picked("a", "d", ["e"])).toEqual(["a", "d", "e"]);
  });

  it("reaches to let go as well", () => {
    expect(picked("a", ["e"], "b", ["d"])).toEqual(["a", "e"]);
  });

  it("picks one row where there is none to reach from", () => {
    expect(picked(["c"])).toEqual(["c"]);
    expect([...pickRow({ picked: new Set(["z"]), anchor: "z" }, ORDER, { id: "c", reach: true }).picked]).toEqual([
      "z",
      "c",
    ]);
  });

  it("picks all that are loaded, then none", () => {
    const all = pickLoaded(pickRow(NOTHING_PICKED, ORDER, { id: "b", reach: false }), ORDER);
    expect([...all.picked].sort()).toEqual(ORDER);
    expect(pickLoaded(all, ORDER).picked.size).toBe(0);
  });
});
