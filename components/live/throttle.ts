/** Calls at once, then at most once in `intervalMs`; the last of several calls is never lost. */
export function throttle(run: () => void, intervalMs: number): () => void {
  let again = false;
  let resting = false;
  return function call() {
    if (resting) {
      again = true;
      return;
    }
    run();
    resting = true;
    setTimeout(() => {
      resting = false;
      if (!again) return;
      again = false;
      call();
    }, intervalMs);
  };
}
