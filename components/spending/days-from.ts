const DAY_MS = 24 * 60 * 60_000;

/** The days of a period, first and last among them. Of a very long one the newest: more bars would be no wider than a hair. */
export function daysFrom({ from, to }: { from: string; to: string }, most = 180): string[] {
  const last = Date.parse(to);
  const count = Math.min(most, Math.round((last - Date.parse(from)) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, n) => new Date(last - (count - 1 - n) * DAY_MS).toISOString().slice(0, 10));
}
