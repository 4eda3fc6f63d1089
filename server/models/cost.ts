import type { ModelPrice, TokenUsage } from "./model";

const TOKENS_PER_MTOK = 1_000_000n;

/**
 * What a call cost, by what its tokens were, in nano-USD. `promptNanoUsd` is the whole of what was sent at the price of input, of which the
 * discount comes off; `completionNanoUsd` is what was said without the reasoning. They come to the total exactly.
 */
export type CostParts = {
  promptNanoUsd: number;
  /** Below zero where a provider asks more for cached tokens than for others. */
  cachedDiscountNanoUsd: number;
  completionNanoUsd: number;
  reasoningNanoUsd: number;
  totalNanoUsd: number;
};

/**
 * The parts of a call's cost (LLM-OBS-01, G-17): cached tokens at their own price, tokens of reasoning at theirs, each counted once; where
 * such a price is not set they cost what others in or out do. The sum is rounded up once, as sums of floats would drift.
 */
export function costParts(usage: TokenUsage, price: ModelPrice): CostParts {
  const cachedTokens = Math.min(usage.cachedTokens, usage.inputTokens);
  const reasoningTokens = Math.min(usage.reasoningTokens ?? 0, usage.outputTokens);
  const cachedPrice = price.cachedNanoUsd ?? price.inputNanoUsd;
  const prompt = times(usage.inputTokens, price.inputNanoUsd);
  const discount = times(cachedTokens, price.inputNanoUsd) - times(cachedTokens, cachedPrice);
  const completion = times(usage.outputTokens - reasoningTokens, price.outputNanoUsd);
  const reasoning = times(reasoningTokens, price.reasoningNanoUsd ?? price.outputNanoUsd);
  // Each part is what it adds to a sum that is rounded up as it grows: so the parts come to the total.
  const [one, two, three] = [prompt, prompt + completion, prompt + completion + reasoning].map(roundedUp);
  const total = roundedUp(prompt + completion + reasoning - discount);
  return {
    promptNanoUsd: Number(one),
    completionNanoUsd: Number((two ?? 0n) - (one ?? 0n)),
    reasoningNanoUsd: Number((three ?? 0n) - (two ?? 0n)),
    cachedDiscountNanoUsd: Number((three ?? 0n) - total),
    totalNanoUsd: Number(total),
  };
}

/**
 * Cost of a call in nano-USD, rounded up; null when nobody knows it: there is no price, or the endpoint counted nothing, which costs nothing
 * only where everything is free (LLM-OBS-11).
 */
export function costOf(usage: TokenUsage, price: ModelPrice | undefined): number | null {
  if (!price || (usage.inputTokens + usage.outputTokens === 0 && !isFree(price))) return null;
  return costParts(usage, price).totalNanoUsd;
}

const isFree = (price: ModelPrice) => Object.values(price).every((nanoUsd) => !nanoUsd);

/** What a call costs at most: nothing of it is cached before the provider says so, and any token may be the dearest of its kind. */
export function mostCostOf(
  tokens: Pick<TokenUsage, "inputTokens" | "outputTokens">,
  price: ModelPrice | undefined,
): number | null {
  if (!price) return null;
  const { inputNanoUsd, outputNanoUsd, cachedNanoUsd, reasoningNanoUsd } = price;
  const dearest = {
    inputNanoUsd: Math.max(inputNanoUsd, cachedNanoUsd ?? 0),
    outputNanoUsd: Math.max(outputNanoUsd, reasoningNanoUsd ?? 0),
  };
  return costParts({ ...tokens, cachedTokens: 0 }, dearest).totalNanoUsd;
}

const times = (tokens: number, nanoUsdPerMtok: number) => BigInt(tokens) * BigInt(nanoUsdPerMtok);

/** Of millionths of a nano-USD, none of which is below zero in sum. */
const roundedUp = (millionths: bigint) => (millionths + TOKENS_PER_MTOK - 1n) / TOKENS_PER_MTOK;
