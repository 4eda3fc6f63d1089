import type { ModelError } from "@/server/models/model";
import { classify } from "./resilience/error-catalog";
import type { RetryPart } from "./resilience/policy";
import { isRejection } from "./resilience/rejection";

/** Of a model call nobody said otherwise about. AGT-LRR: three retries of a failed call. */
export const MODEL_RETRY: RetryPart = {
  maxAttempts: 3,
  backoffMs: 500,
  multiplier: 2,
  maxBackoffMs: 30_000,
  retryOn: [],
  noRetryOn: [],
  jitter: true,
};
/** Of the wait a provider asks for; it is drawn out by up to this much, so that all who were told the same do not call at once. */
const ASKED_SPREAD = 0.25;
/** A provider that asks for more is as good as down. */
const LONGEST_ASKED_DELAY_MS = 5 * 60_000;

export type RetryVerdict = { retry: true; delayMs: number; reason: string } | { retry: false; reason: string };

/**
 * Whether a failed model call is tried again, and after how long.
 * @param failures failed calls in a row, this one included
 * @param random   in [0, 1), for jitter
 */
export function judgeRetry(
  error: ModelError,
  failures: number,
  random: number,
  policy: RetryPart = MODEL_RETRY,
): RetryVerdict {
  const { maxAttempts } = policy;
  if (!error.retryable) return { retry: false, reason: `${error.code} is not worth a retry` };
  if (isExcluded(policy, error)) return { retry: false, reason: `${error.code} is not retried, by policy` };
  if (failures > maxAttempts) return { retry: false, reason: `${error.code}: ${maxAttempts} retries were used` };
  if (error.retryAfterMs !== undefined) {
    const who = isRejection(error.code) ? "its policy" : "the provider";
    if (error.retryAfterMs > LONGEST_ASKED_DELAY_MS) {
      return { retry: false, reason: `${error.code}: ${who} asks to wait ${seconds(error.retryAfterMs)}` };
    }
    const reason = `${error.code}; ${who} asked to wait ${seconds(error.retryAfterMs)}; retry ${failures} of ${maxAttempts}`;
    return { retry: true, delayMs: Math.round(error.retryAfterMs * (1 + ASKED_SPREAD * random)), reason };
  }
  const delayMs = delayOf(policy, failures, random);
  return {
    retry: true,
    delayMs,
    reason: `${error.code}; waiting ${seconds(delayMs)}; retry ${failures} of ${maxAttempts}`,
  };
}

/** Before the nth retry: backoff × multiplier^(n - 1), at most the longest; with jitter anywhere in its upper half (AGT-RES-02). */
export function delayOf({ backoffMs, multiplier, maxBackoffMs, jitter }: RetryPart, nth: number, random: number) {
  const full = Math.min(maxBackoffMs, backoffMs * multiplier ** (nth - 1));
  return Math.round(jitter ? full / 2 + (full / 2) * random : full);
}

type Coded = { code: string; stableCode?: string };

/** Whether a policy's list of codes names this error. */
export function isAmong(codes: readonly string[], { code, stableCode }: Coded): boolean {
  return codes.includes(code) || codes.includes(stableCode ?? classify(code).stableCode);
}

export function isExcluded({ retryOn, noRetryOn }: RetryPart, error: Coded): boolean {
  return isAmong(noRetryOn, error) || (retryOn.length > 0 && !isAmong(retryOn, error));
}

/** Of a call that writes, under a key the far side honours. Fewer than for models: a person may be waiting for the effect. */
export const EFFECT_RETRY: RetryPart = { ...MODEL_RETRY, maxAttempts: 2, backoffMs: 200, multiplier: 4 };

/**
 * Whether a call that writes and whose answer was lost is sent again under its key, and after how long.
 * @param attempt how many times this execution has sent it
 * @param random  in [0, 1), for jitter
 */
export function judgeEffectRetry(
  { code, message }: { code: string; message: string },
  attempt: number,
  random: number,
  policy: RetryPart = EFFECT_RETRY,
): RetryVerdict {
  const { maxAttempts } = policy;
  if (isExcluded(policy, { code })) return { retry: false, reason: `${message}; ${code} is not retried, by policy` };
  if (attempt > maxAttempts) return { retry: false, reason: `${message}; ${maxAttempts} retries were used` };
  const delayMs = delayOf(policy, attempt, random);
  return {
    retry: true,
    delayMs,
    reason: `${message}; waiting ${seconds(delayMs)}; retry ${attempt} of ${maxAttempts}`,
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
