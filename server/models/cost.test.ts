import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costOf, costParts, mostCostOf } from "./cost";

const PRICE = { inputNanoUsd: 2_500_000_000, outputNanoUsd: 10_000_000_000 };
const OWN = { ...PRICE, cachedNanoUsd: 250_000_000, reasoningNanoUsd: 20_000_000_000 };
const USAGE = { inputTokens: 1_000, cachedTokens: 800, outputTokens: 300, reasoningTokens: 100 };

describe("what a call cost", () => {
  test("cached tokens cost what other input does, and reasoning what other output does, unless they have a price", () => {
    expect(costParts(USAGE, PRICE)).toEqual({
      ...{ promptNanoUsd: 2_500_000, cachedDiscountNanoUsd: 0 },
      ...{ completionNanoUsd: 2_000_000, reasoningNanoUsd: 1_000_000, totalNanoUsd: 5_500_000 },
    });
    expect(costParts(USAGE, { ...PRICE, cachedNanoUsd: null, reasoningNanoUsd: null })).toEqual(
      costParts(USAGE, PRICE),
    );
  });

  test("G-17: (prompt − cached) · p + cached · c + completion · o, and reasoning once, at its own price", () => {
    expect(costParts(USAGE, OWN)).toEqual({
      ...{ promptNanoUsd: 2_500_000, cachedDiscountNanoUsd: 1_800_000 },
      ...{ completionNanoUsd: 2_000_000, reasoningNanoUsd: 2_000_000, totalNanoUsd: 4_700_000 },
    });
    // A price of nothing is a price.
    expect(costOf(USAGE, { ...PRICE, cachedNanoUsd: 0 })).toBe(500_000 + 3_000_000);
    // LLM-OBS-07's own card, for a million tokens.
    const card = { inputNanoUsd: 1_500_000_000, cachedNanoUsd: 500_000_000, outputNanoUsd: 6_000_000_000 };
    expect(costOf({ inputTokens: 1_000, cachedTokens: 1_000, outputTokens: 1_000 }, card)).toBe(500_000 + 6_000_000);
  });

  test("a provider may ask more for cached tokens", () => {
    expect(costParts(USAGE, { ...PRICE, cachedNanoUsd: 3_000_000_000 })).toMatchObject({
      ...{ cachedDiscountNanoUsd: -400_000, totalNanoUsd: 5_900_000 },
    });
  });

  test("counts that exceed what they are a part of are held to it", () => {
    const odd = { inputTokens: 10, cachedTokens: 99, outputTokens: 5, reasoningTokens: 99 };
    expect(costOf(odd, OWN)).toBe(10 * 250 + 5 * 20_000);
  });

  test("it is counted in whole numbers where a product is too large for a float", () => {
    // The product is one above a whole nano-USD, which a float above 2^53 loses.
    const usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 200_001 };
    expect(costOf(usage, { inputNanoUsd: 0, outputNanoUsd: 75_000_800_001 })).toBe(15_000_235_002);
  });

  test("without a price it is unknown, also at most", () => {
    expect([costOf(USAGE, undefined), mostCostOf(USAGE, undefined)]).toEqual([null, null]);
  });

  test("LLM-OBS-11: of a call whose endpoint counted nothing it is unknown, unless all of the model is free", () => {
    const nothing = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
    expect([costOf(nothing, PRICE), costOf(nothing, { inputNanoUsd: 0, outputNanoUsd: 0 })]).toEqual([null, 0]);
  });

  const tokens = fc.integer({ min: 0, max: 2_000_000 });
  const price = fc.integer({ min: 0, max: 100_000_000_000 });
  const own = fc.option(price);
  const usages = fc.record({
    inputTokens: tokens,
    cachedTokens: tokens,
    outputTokens: tokens,
    reasoningTokens: tokens,
  });
  const prices = fc.record({ inputNanoUsd: price, outputNanoUsd: price, cachedNanoUsd: own, reasoningNanoUsd: own });

  test("its parts come to the total, which no call passes that was reserved at most", () => {
    fc.assert(
      fc.property(usages, prices, (usage, at) => {
        const parts = costParts(usage, at);
        expect(parts.promptNanoUsd + parts.completionNanoUsd + parts.reasoningNanoUsd).toBe(
          parts.totalNanoUsd + parts.cachedDiscountNanoUsd,
        );
        expect(costOf(usage, at) ?? 0).toBe(parts.totalNanoUsd);
        expect(mostCostOf(usage, at)).toBeGreaterThanOrEqual(parts.totalNanoUsd);
      }),
    );
  });
});
