/**
 * Gathers calls: runs once `gatherMs` after the first of them, and at most once in `intervalMs`. What is asked for while one waits is done by that
 * one; the last of several calls is never lost.
 */
export function throttle(run: () => void, { gatherMs, intervalMs }: { gatherMs: number; intervalMs: number }) {
  let isDue = false;
  let nextAt = 0;
  return function call(): void {
    if (isDue) return;
    isDue = true;
    const waitMs = Math.max(gatherMs, nextAt - performance.now());
    setTimeout(() => {
      isDue = false;
      nextAt = performance.now() + intervalMs;
      run();
    }, waitMs);
  };
}
