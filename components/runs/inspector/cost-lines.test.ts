import { expect, test } from "vitest";
import { costLines } from "./cost-lines";

const usage = { prompt: 1_000, cached: 400, completion: 300, reasoning: 100, total: 1_300, isKnown: true };
const rates = { inputNanoUsdPerMtok: 2_000_000_000, outputNanoUsdPerMtok: 10_000_000_000 };

test("each token is told once, by its kind, at its rate", () => {
  const own = { ...rates, cachedNanoUsdPerMtok: 500_000_000, reasoningNanoUsdPerMtok: null };
  expect(costLines(usage, own)).toEqual([
    { name: "Input", tokens: 600, perMtok: 2_000_000_000, nanoUsd: 1_200_000 },
    { name: "Input, from the cache", tokens: 400, perMtok: 500_000_000, nanoUsd: 200_000 },
    { name: "Output", tokens: 200, perMtok: 10_000_000_000, nanoUsd: 2_000_000 },
    { name: "Output, reasoning", tokens: 100, perMtok: 10_000_000_000, nanoUsd: 1_000_000 },
  ]);
});

test("without rates of their own, cached tokens and those of reasoning cost what others do: together the whole", () => {
  const sum = costLines(usage, rates).reduce((all, { nanoUsd }) => all + (nanoUsd ?? 0), 0);
  expect(sum).toBe(1_000 * 2_000 + 300 * 10_000);
});

test("kinds that were not used are left out; what is not known is not told as nothing", () => {
  expect(costLines({ ...usage, cached: 0, reasoning: null }, null)).toEqual([
    { name: "Input", tokens: 1_000, perMtok: null, nanoUsd: null },
    { name: "Output", tokens: 300, perMtok: null, nanoUsd: null },
  ]);
});
