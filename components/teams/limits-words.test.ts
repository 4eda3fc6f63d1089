import { expect, test } from "vitest";
import { DEFAULT_RUN_LIMITS } from "@/server/engine/run-limits";
import { limitsWords } from "./limits-words";

test("limits read as people say them", () => {
  expect(limitsWords(DEFAULT_RUN_LIMITS)).toBe("8 h of work, 10 min without progress");
  expect(
    limitsWords({
      ...{ maxCostNanoUsd: 250_000_000, maxTokens: null, askAtRatio: null },
      ...{ maxActiveMs: 5_400_000, stuckAfterMs: 3_600_000 },
    }),
  ).toBe("$0.25, 1 h 30 min of work, 1 h without progress");
  expect(limitsWords({ ...DEFAULT_RUN_LIMITS, maxTokens: 10_000, askAtRatio: 0.8 })).toBe(
    "10,000 tokens (a person is asked at 80 %), 8 h of work, 10 min without progress",
  );
});
