/** Cost of embedded tokens in nano-USD, rounded up; null when nobody said what they cost. */
export function embeddingCost(tokens: number, inputNanoUsdPerMtok: number | null): number | null {
  return inputNanoUsdPerMtok === null ? null : Math.ceil((tokens * inputNanoUsdPerMtok) / 1_000_000);
}

const FIRST_RETRY_MS = 15_000;
/** A wrong key or a removed model wants a person first. */
const FIRST_RETRY_REFUSED_MS = 120_000;
const LONGEST_RETRY_MS = 15 * 60_000;
/** However long an endpoint asks to wait. */
const LONGEST_WAIT_MS = 60 * 60_000;

type Failure = { isRefused: boolean; retryAfterMs: number | undefined; before: number };

/** When to try again: twice as late each time, and not before the endpoint said. `before` counts the failures in a row before this one. */
export function retryInMs({ isRefused, retryAfterMs = 0, before }: Failure): number {
  const first = isRefused ? FIRST_RETRY_REFUSED_MS : FIRST_RETRY_MS;
  return Math.max(Math.min(first * 2 ** before, LONGEST_RETRY_MS), Math.min(retryAfterMs, LONGEST_WAIT_MS));
}
