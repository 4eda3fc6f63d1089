import type { ModelError } from "@/server/models/model";

/** AGT-LRR: three retries of a failed call. */
export const MOST_RETRIES = 3;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** A provider that asks for more is as good as down. */
const LONGEST_ASKED_DELAY_MS = 5 * 60_000;

export type RetryVerdict = { retry: true; delayMs: number; reason: string } | { retry: false; reason: string };

/**
 * Whether a failed model call is tried again, and after how long.
 * @param failures failed calls in a row, this one included
 * @param random   in [0, 1), for jitter
 */
export function judgeRetry(error: ModelError, failures: number, random: number): RetryVerdict {
  if (!error.retryable) return { retry: false, reason: `${error.code} is not worth a retry` };
  if (failures > MOST_RETRIES) return { retry: false, reason: `${error.code}: ${MOST_RETRIES} retries were used` };
  if (error.retryAfterMs !== undefined) {
    if (error.retryAfterMs > LONGEST_ASKED_DELAY_MS) {
      return { retry: false, reason: `${error.code}: the provider asks to wait ${seconds(error.retryAfterMs)}` };
    }
    const reason = `${error.code}; the provider asked to wait ${seconds(error.retryAfterMs)}; retry ${failures} of ${MOST_RETRIES}`;
    return { retry: true, delayMs: error.retryAfterMs, reason };
  }
  const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
  const delayMs = Math.round(full / 2 + (full / 2) * random);
  return {
    retry: true,
    delayMs,
    reason: `${error.code}; waiting ${seconds(delayMs)}; retry ${failures} of ${MOST_RETRIES}`,
  };
}

/** Calls that write, under a key the far side honours. Fewer than for models: a person may be waiting for the effect. */
export const MOST_EFFECT_RETRIES = 2;
const FIRST_EFFECT_DELAY_MS = 200;

/**
 * Whether a call that writes and whose answer was lost is sent again under its key, and after how long.
 * @param attempt how many times this execution has sent it
 * @param random  in [0, 1), for jitter
 */
export function judgeEffectRetry(message: string, attempt: number, random: number): RetryVerdict {
  if (attempt > MOST_EFFECT_RETRIES) {
    return { retry: false, reason: `${message}; ${MOST_EFFECT_RETRIES} retries were used` };
  }
  const full = FIRST_EFFECT_DELAY_MS * 4 ** (attempt - 1);
  const delayMs = Math.round(full / 2 + (full / 2) * random);
  return {
    retry: true,
    delayMs,
    reason: `${message}; waiting ${seconds(delayMs)}; retry ${attempt} of ${MOST_EFFECT_RETRIES}`,
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
