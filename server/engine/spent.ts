import { costOf } from "@/server/models/cost";
import type { Model, ModelPrice, TokenUsage } from "@/server/models/model";
import type { Journal } from "./journal/journal";
import type { JournalUnit } from "./journal/unit";

/** Of one model call, for its step. A cost that nobody knows is null. */
export type Spent = { inputTokens: number; outputTokens: number; costNanoUsd: number | null };

/** What an answered model call used: for its step, and as the rows that count it once in agent run and run (I5). */
export function spentOn(
  journal: Pick<Journal, "isBudgeted">,
  position: number,
  { provider, name, price }: Model,
  usage: TokenUsage,
): { spent: Spent; unit: JournalUnit } {
  const { inputTokens, outputTokens } = usage;
  const cost = costOf(usage, price);
  const totals = { input: inputTokens, output: outputTokens, cost: cost ?? 0 };
  return {
    spent: { inputTokens, outputTokens, costNanoUsd: cost },
    unit: {
      usages: [
        {
          position,
          provider,
          model: name,
          input: inputTokens,
          cached: usage.cachedTokens,
          output: outputTokens,
          ...(usage.reasoningTokens === undefined ? {} : { reasoning: usage.reasoningTokens }),
          cost,
          ...(price ? ratesOf(price) : {}),
          ...(journal.isBudgeted ? { reserved: true as const } : {}),
        },
      ],
      agent: totals,
      head: { ...totals, unpriced: cost === null ? 1 : 0 },
    },
  };
}

/** Kept with each call, so that a price that is changed later changes nothing of what was billed (LLM-OBS-06). */
function ratesOf({ inputNanoUsd, cachedNanoUsd, outputNanoUsd, reasoningNanoUsd }: ModelPrice) {
  return {
    inputRate: inputNanoUsd,
    outputRate: outputNanoUsd,
    ...(cachedNanoUsd == null ? {} : { cachedRate: cachedNanoUsd }),
    ...(reasoningNanoUsd == null ? {} : { reasoningRate: reasoningNanoUsd }),
  };
}
