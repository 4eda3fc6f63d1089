import { expect, test } from "vitest";
import { costLines } from "./cost-lines";

const usage = { prompt: 1_000, cached: 400, completion: 300, reasoning: 100, total: 1_300, isKnown: true };
const rates = {
  ...{ version: "1", inputNanoUsdPerMtok: 2_000_000_000, outputNanoUsdPerMtok: 10_000_000_000 },
  ...{ cachedNanoUsdPerMtok: 500_000_000, reasoningNanoUsdPerMtok: null },
};
const parts = {
  ...{ promptNanoUsd: 2_000_000, cachedDiscountNanoUsd: 600_000 },
  ...{ completionNanoUsd: 2_000_000, reasoningNanoUsd: 1_000_000 },
};

test("each kind is told at its rate, what the cache held comes off, and together they are the whole", () => {
  const lines = costLines(usage, { rates, parts });
  expect(lines).toEqual([
    { name: "Input", tokens: 1_000, perMtok: 2_000_000_000, nanoUsd: 2_000_000 },
    { name: "of it from the cache", tokens: 400, perMtok: 500_000_000, nanoUsd: -600_000 },
    { name: "Output", tokens: 200, perMtok: 10_000_000_000, nanoUsd: 2_000_000 },
    { name: "Output, reasoning", tokens: 100, perMtok: 10_000_000_000, nanoUsd: 1_000_000 },
  ]);
  expect(lines.reduce((all, { nanoUsd }) => all + (nanoUsd ?? 0), 0)).toBe(4_400_000);
});

test("without a rate of their own, cached tokens cost what others do: nothing comes off", () => {
  const own = { ...rates, cachedNanoUsdPerMtok: null };
  const [, cached] = costLines(usage, { rates: own, parts: { ...parts, cachedDiscountNanoUsd: 0 } });
  expect(cached).toEqual({ name: "of it from the cache", tokens: 400, perMtok: 2_000_000_000, nanoUsd: 0 });
});

test("kinds that were not used are left out; what is not known is not told as nothing", () => {
  expect(costLines({ ...usage, cached: 0, reasoning: null }, { rates: null, parts: null })).toEqual([
    { name: "Input", tokens: 1_000, perMtok: null, nanoUsd: null },
    { name: "Output", tokens: 300, perMtok: null, nanoUsd: null },
  ]);
});
