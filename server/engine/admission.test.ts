import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ALONE, isTurnOf, placeAmong } from "./admission";

describe("whose turn a run is", () => {
  const living = ["a", "b", "c"];

  test("it is that of exactly one of the workers that live, and each has about as many", () => {
    const ids = Array.from({ length: 3_000 }, () => randomUUID());
    const turns = living.map((worker) => ids.filter((id) => isTurnOf(placeAmong(living, worker), id)));
    expect(turns.flat().sort()).toEqual([...ids].sort());
    for (const { length } of turns) expect(length).toBeGreaterThan(700);
  });

  test("a worker on its own, or one the others do not know yet, goes for everything", () => {
    expect(placeAmong(["a"], "a")).toEqual(ALONE);
    expect(placeAmong(living, "new")).toEqual(ALONE);
    expect(isTurnOf(ALONE, randomUUID())).toBe(true);
  });
});
