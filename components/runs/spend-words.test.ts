import { expect, test } from "vitest";
import { spendWords } from "./spend-words";

test("what may be spent is said of what is limited only", () => {
  expect(
    [
      { maxCostNanoUsd: 250_000_000, maxTokens: 10_000 },
      { maxCostNanoUsd: 250_000_000, maxTokens: null },
      { maxCostNanoUsd: null, maxTokens: 1 },
      { maxCostNanoUsd: null, maxTokens: null },
    ].map(spendWords),
  ).toEqual(["$0.25 and 10,000 tokens", "$0.25", "1 token", null]);
});
