import { expect, test } from "vitest";
import { nextDelay } from "./supervised-child";

test("a child that keeps ending is started again after ever longer pauses, up to half a minute", () => {
  const pauses: number[] = [];
  for (let i = 0; i < 9; i++) pauses.push(nextDelay({ previousMs: pauses.at(-1) ?? null, livedMs: 10 }));
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test("a minute of health makes the pause short again", () => {
  expect(nextDelay({ previousMs: 30_000, livedMs: 59_999 })).toBe(30_000);
  expect(nextDelay({ previousMs: 30_000, livedMs: 60_000 })).toBe(500);
});
