import { costOf, type Model, type TokenUsage } from "@/server/models/model";
import type { Journal } from "./journal/journal";
import type { JournalUnit } from "./journal/unit";

/** Of one model call, for its step. A cost that nobody knows is null. */
export type Spent = { inputTokens: number; outputTokens: number; costNanoUsd: number | null };

/** What an answered model call used: for its step, and as the rows that count it once in agent run and run (I5). */
export function spentOn(
  journal: Pick<Journal, "isBudgeted">,
  position: number,
  { provider, name, price }: Model,
  { inputTokens, outputTokens, cachedTokens }: TokenUsage,
): { spent: Spent; unit: JournalUnit } {
  const cost = costOf({ inputTokens, outputTokens, cachedTokens }, price);
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
          cached: cachedTokens,
          output: outputTokens,
          cost,
          ...(journal.isBudgeted ? { reserved: true as const } : {}),
        },
      ],
      agent: totals,
      head: { ...totals, unpriced: cost === null ? 1 : 0 },
    },
  };
}
