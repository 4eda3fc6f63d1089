const EVERY_MS = 500;

/** A line that counts rows where somebody looks on, and nothing where the output is a file. */
export function showProgress(what: string): (done: number, total: number) => void {
  if (!process.stderr.isTTY) return () => {};
  let shownAt = 0;
  return (done, total) => {
    const isLast = done >= total;
    if (!isLast && Date.now() - shownAt < EVERY_MS) return;
    shownAt = Date.now();
    process.stderr.write(`\r${what}: ${done} of ${total} rows${isLast ? "\n" : ""}`);
  };
}
