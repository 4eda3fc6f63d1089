import { z } from "zod";

/** At most what a timer and a person's patience take. */
const LONGEST_MS = 86_400_000;
const ms = (least: number) =>
  z.int("A whole number.").min(least, `At least ${least} ms.`).max(LONGEST_MS, "At most 24 hours.");
/** Longer than that nobody should be kept waiting for one call. */
const LONGEST_WAIT_MS = 300_000;
const waitMs = (byDefault: number) =>
  z.int("A whole number.").min(0, "At least 0 ms.").max(LONGEST_WAIT_MS, "At most 5 minutes.").default(byDefault);
const count = (least: number, most: number) =>
  z
    .int("A whole number.")
    .min(least, `At least ${least}.`)
    .max(most, `At most ${most.toLocaleString("en")}.`);
/** Codes as steps store them: stable ones such as TROUPE-RATELIMIT, or short ones such as rate_limited. */
const codes = z.array(z.string().trim().min(1).max(60)).max(30, "At most 30 codes.").default([]);

/** AGT-RES-02. `maxAttempts` counts retries: 0 is one call and no retry. */
const retryPart = z.strictObject({
  maxAttempts: count(0, 20).default(0),
  backoffMs: waitMs(1_000),
  multiplier: z.number("A number.").min(1, "At least 1.").max(10, "At most 10.").default(2),
  maxBackoffMs: waitMs(30_000),
  /** Empty: every error that may pass. */
  retryOn: codes,
  noRetryOn: codes,
  jitter: z.boolean().default(true),
});
export type RetryPart = z.infer<typeof retryPart>;

/** AGT-RES-03. */
const breakerPart = z.strictObject({
  enabled: z.boolean().default(false),
  /** Failures within the window that open it; with a rate, the fewest calls the rate is taken of. */
  failureThreshold: count(1, 1_000).default(5),
  failureWindowMs: ms(1_000).default(60_000),
  resetTimeoutMs: ms(100).default(30_000),
  /** Trial calls that must succeed before it closes. */
  successThreshold: count(1, 100).default(3),
  /** Per cent of the calls within the window; 0: failures are counted instead. */
  failureRateThreshold: count(0, 100).default(0),
});
export type BreakerPart = z.infer<typeof breakerPart>;

export const RATE_STRATEGIES = ["sliding_window", "fixed_window", "token_bucket", "leaky_bucket"] as const;
/** Each call of a sliding window is remembered. */
const MOST_SLIDING = 1_000;
/** AGT-RES-05, AGT-RES-06. A call that must wait longer than `maxWaitMs` is refused instead. */
const ratePart = z
  .strictObject({
    enabled: z.boolean().default(false),
    maxRequests: count(1, 1_000_000).default(100),
    windowMs: ms(100).default(60_000),
    strategy: z.enum(RATE_STRATEGIES).default("sliding_window"),
    maxWaitMs: waitMs(60_000),
  })
  .refine(({ strategy, maxRequests }) => strategy !== "sliding_window" || maxRequests <= MOST_SLIDING, {
    path: ["maxRequests"],
    message: "A sliding window remembers each call: at most 1,000. Take a token bucket for more.",
  });
export type RatePart = z.infer<typeof ratePart>;

/** AGT-RES-07. A call that waits longer than `maxWaitMs` for room is refused. */
const bulkheadPart = z.strictObject({
  enabled: z.boolean().default(false),
  maxConcurrent: count(1, 10_000).default(10),
  maxWaitMs: waitMs(60_000),
});
export type BulkheadPart = z.infer<typeof bulkheadPart>;

/** AGT-RES-09. Another model ("provider/model") or another tool of the agent that only reads; or, for a tool, a fixed text. */
const fallbackPart = z
  .strictObject({
    use: z.string().trim().min(1).max(300).nullable().default(null),
    text: z.string().trim().min(1).max(4_000, "At most 4,000 characters.").nullable().default(null),
    /** Codes it stands in for; empty: every error. */
    on: codes,
  })
  .refine(({ use, text }) => (use === null) !== (text === null), {
    path: ["use"],
    message: "Name what stands in, or write a text: one of both.",
  });
export type FallbackPart = z.infer<typeof fallbackPart>;

/** AGT-RES-01: one object; what is left out has its default, which is what happens without a policy. */
export const resiliencePolicy = z.strictObject({
  retry: retryPart.optional(),
  breaker: breakerPart.optional(),
  rateLimit: ratePart.optional(),
  bulkhead: bulkheadPart.optional(),
  /** Of one attempt; 0: its own limit, which every call has. */
  timeoutMs: ms(0).optional(),
  fallback: fallbackPart.optional(),
});
/** Of calls of tools, whose time limit is a setting of its own. */
export const callPolicy = resiliencePolicy.omit({ timeoutMs: true });
export type ResiliencePolicy = z.infer<typeof resiliencePolicy>;

/** What holds for a call: parts that are off are null. */
export type EffectivePolicy = {
  /** Null: nobody said; the engine's own rule for such a call holds. */
  retry: RetryPart | null;
  breaker: BreakerPart | null;
  rateLimit: RatePart | null;
  bulkhead: BulkheadPart | null;
  timeoutMs: number | null;
  fallback: FallbackPart | null;
};

/** Part by part, the first policy that says something wins: the tool's, then its agent's (AGT-RES-01). */
export function effectivePolicy(...policies: (ResiliencePolicy | null | undefined)[]): EffectivePolicy {
  const first = <K extends keyof ResiliencePolicy>(part: K): ResiliencePolicy[K] =>
    policies.find((policy) => policy?.[part] !== undefined)?.[part];
  const on = <T extends { enabled: boolean }>(part: T | undefined): T | null => (part?.enabled ? part : null);
  return {
    retry: first("retry") ?? null,
    breaker: on(first("breaker")),
    rateLimit: on(first("rateLimit")),
    bulkhead: on(first("bulkhead")),
    timeoutMs: first("timeoutMs") || null,
    fallback: first("fallback") ?? null,
  };
}
