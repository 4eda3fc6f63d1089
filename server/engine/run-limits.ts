import { z } from "zod";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A million dollars: whatever is above was a slip of the hand. */
const MOST_NANO_USD = 1_000_000 * 1_000_000_000;
const MOST_TOKENS = 1_000_000_000_000;

/** What may be spent; null: no limit. Reserved before each model call, so that it is never passed (LLM-ADV-15). */
export const spendLimits = z.strictObject({
  /** Integer nano-USD. Calls of models without a price are refused under it. */
  maxCostNanoUsd: z
    .int("A whole number.")
    .min(1, "More than nothing, or empty for no limit.")
    .max(MOST_NANO_USD, "At most $1,000,000.")
    .nullable()
    .default(null),
  /** Input and output together. */
  maxTokens: z
    .int("A whole number.")
    .min(1, "At least 1, or empty for no limit.")
    .max(MOST_TOKENS, "At most 1,000,000,000,000.")
    .nullable()
    .default(null),
});
export type SpendLimits = z.infer<typeof spendLimits>;

/** What a run may spend, and when a person is asked. */
export const runSpendLimits = spendLimits.extend({
  /** Before a call takes the run past this share of a limit on its spending for the first time, a person is asked (LLM-ADV-14); null: never. */
  askAtRatio: z.number("A number.").min(0.1, "At least 10 %.").max(0.99, "At most 99 %.").nullable().default(null),
});
export type RunSpendLimits = z.infer<typeof runSpendLimits>;

/** Limits of one run, kept with it as they were when it began. Of its time only that in which it moves counts (AGT-LRR-14). */
export const runLimits = runSpendLimits.extend({
  /** Longest time in `running`; waiting for people and being held use up none of it. */
  maxActiveMs: z
    .int()
    .min(MINUTE_MS, "At least 1 minute.")
    .max(30 * 24 * HOUR_MS, "At most 30 days.")
    .default(8 * HOUR_MS),
  /** Longest time in `running` without anything recorded. A worker's heartbeat is no progress. */
  stuckAfterMs: z
    .int()
    .min(MINUTE_MS, "At least 1 minute.")
    .max(24 * HOUR_MS, "At most 24 hours.")
    .default(10 * MINUTE_MS),
});
export type RunLimits = z.infer<typeof runLimits>;

export const DEFAULT_RUN_LIMITS: RunLimits = runLimits.parse({});
