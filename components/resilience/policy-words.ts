import { formatPlural, formatSpan } from "@/components/ui/format";
import type { EffectivePolicy, RatePart } from "@/server/engine/resilience/policy";

export const STRATEGY_WORDS: Record<RatePart["strategy"], string> = {
  sliding_window: "Sliding window: never more in any such stretch",
  fixed_window: "Fixed window: counted anew each time",
  token_bucket: "Token bucket: a burst, then evenly",
  leaky_bucket: "Leaky bucket: evenly, one after the other",
};

/** What happens to model calls of which nobody said otherwise; server/engine/retry-policy.ts. */
export const USUAL_MODEL_RETRY = "3 retries, first after 0.5 s";

/** The same of calls of tools. */
export const USUAL_TOOL_RETRY = "no retries; 2 of calls whose repeat the tool recognises, first after 0.2 s";

/** What holds for a call, part by part, in words that fit one line. `usualRetry`: what happens while nobody said otherwise. */
export function policyWords(
  { retry, breaker, rateLimit, bulkhead, timeoutMs, fallback }: EffectivePolicy,
  usualRetry: string,
): string[] {
  const failures = breaker && breaker.failureRateThreshold > 0;
  return [
    retry
      ? retry.maxAttempts === 0
        ? "no retries"
        : `${plural(retry.maxAttempts, "retry", "retries")}, first after ${formatSpan(retry.backoffMs)}`
      : usualRetry,
    ...(timeoutMs ? [`ends after ${formatSpan(timeoutMs)}`] : []),
    ...(breaker
      ? [
          `breaker opens ${failures ? `at ${breaker.failureRateThreshold} % failures` : `after ${formatPlural(breaker.failureThreshold, "failure")}`} in ${formatSpan(breaker.failureWindowMs)}, for ${formatSpan(breaker.resetTimeoutMs)}`,
        ]
      : []),
    ...(bulkhead ? [`${formatPlural(bulkhead.maxConcurrent, "call")} at once`] : []),
    ...(rateLimit ? [`${formatPlural(rateLimit.maxRequests, "call")} in ${formatSpan(rateLimit.windowMs)}`] : []),
    ...(fallback ? [`${fallback.use ?? "a fixed text"} stands in`] : []),
  ];
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
