import { expect, test } from "vitest";
import { embeddingCost, retryInMs } from "./rules";

test("an unknown price makes an unknown cost, and a known one is rounded up", () => {
  expect(embeddingCost(1_000, null)).toBeNull();
  expect(embeddingCost(0, 20_000_000)).toBe(0);
  expect(embeddingCost(1, 20_000)).toBe(1);
  expect(embeddingCost(2_000_000, 20_000_000)).toBe(40_000_000);
});

test("each failure waits twice as long, a refusal longer from the start, none longer than a quarter of an hour", () => {
  const wait = (before: number, isRefused = false) => retryInMs({ before, isRefused, retryAfterMs: undefined });
  expect([wait(0), wait(1), wait(2)]).toEqual([15_000, 30_000, 60_000]);
  expect([wait(0, true), wait(1, true)]).toEqual([120_000, 240_000]);
  expect([wait(40), wait(2_000, true)]).toEqual([900_000, 900_000]);
});

test("what the endpoint asks for is waited, up to an hour", () => {
  expect(retryInMs({ before: 0, isRefused: false, retryAfterMs: 40_000 })).toBe(40_000);
  expect(retryInMs({ before: 0, isRefused: false, retryAfterMs: 10 })).toBe(15_000);
  expect(retryInMs({ before: 0, isRefused: false, retryAfterMs: 86_400_000 })).toBe(3_600_000);
});
