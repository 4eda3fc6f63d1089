/** Something around a call: it makes the call by `next`, or does not. */
export type Layer<T> = (next: () => Promise<T>) => Promise<T>;

/** What is left out costs nothing. */
export type Layers<T> = Partial<
  Record<"fallback" | "rateLimit" | "bulkhead" | "breaker" | "retry" | "timeout", Layer<T> | undefined>
>;

/**
 * fallback(rate limit(bulkhead(breaker(retry(timeout(operation)))))) (AGT-RES-10, AGT-RES-11). A layer that does not let a call be made
 * throws a Rejection; what the operation throws is its failure. For model calls each attempt is a step of its own, so the loop over the
 * record is the retry, outside of the layers that guard each attempt.
 */
export function resilient<T>(layers: Layers<T>, operation: () => Promise<T>): Promise<T> {
  const { fallback, rateLimit, bulkhead, breaker, retry, timeout } = layers;
  return [fallback, rateLimit, bulkhead, breaker, retry, timeout].reduceRight<() => Promise<T>>(
    (next, layer) => (layer ? () => layer(next) : next),
    operation,
  )();
}
