/** Parts of the page that failed to load, and want to hear when it is worth asking again. */
const waiting = new Set<() => void>();

export function onTryAgain(retry: () => void): () => void {
  waiting.add(retry);
  return () => waiting.delete(retry);
}

/** The server is there again, or lets the reader in again: whatever failed to load asks once more by itself. */
export function tryAgainEverywhere(): void {
  for (const retry of [...waiting]) retry();
}
