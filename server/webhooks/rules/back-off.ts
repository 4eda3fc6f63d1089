export const FIRST_RETRY_MS = 5_000;
export const LONGEST_RETRY_MS = 60 * 60_000;
/** So many failures in a row, and the address is asked with one call at a time, with growing pauses. */
export const PATIENT_FAILURES = 3;

/** How long to wait after the n-th failed attempt, in ms: 5 s, doubled each time, an hour at most. `chance` is of 0 to 1. */
export function retryInMs(attempts: number, chance: number): number {
  return Math.round(
    Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(Math.max(attempts, 1) - 1, 20)) * (0.75 + chance / 2),
  );
}
