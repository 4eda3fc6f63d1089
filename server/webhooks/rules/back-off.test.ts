import { expect, test } from "vitest";
import { retryInMs } from "./back-off";

test("pauses double from 5 s to an hour, spread by a quarter to either side", () => {
  const middle = [1, 2, 3, 4, 11, 12, 500].map((attempts) => retryInMs(attempts, 0.5));
  expect(middle).toEqual([5_000, 10_000, 20_000, 40_000, 3_600_000, 3_600_000, 3_600_000]);
  expect([retryInMs(1, 0), retryInMs(1, 1)]).toEqual([3_750, 6_250]);
});
