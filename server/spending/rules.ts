import type { SpendingFilters } from "./schema";

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_DAYS = 30;
/** Of a period somebody chose: as far back as anything is likely to be kept. */
const MOST_DAYS = 3_650;

/** The first and the last day, UTC, that a filter looks at. What is not said of a period of one's own ends today, or is as long as usual. */
export function daysOf(
  { period, from, to }: Pick<SpendingFilters, "period" | "from" | "to">,
  now: Date,
): { from: string; to: string } {
  const today = dayOf(now.getTime());
  const back = (day: string, days: number) => dayOf(Date.parse(day) - days * DAY_MS);
  if (period === "today") return { from: today, to: today };
  if (period !== "custom") return { from: back(today, Number(period || DEFAULT_DAYS) - 1), to: today };
  const last = to || (from > today ? from : today);
  const first = from || back(last, DEFAULT_DAYS - 1);
  const [earlier, later] = first <= last ? [first, last] : [last, first];
  const longest = back(later, MOST_DAYS - 1);
  return { from: earlier < longest ? longest : earlier, to: later };
}

/** The instant a day begins, and the one at which the next does. */
export function instantsOf({ from, to }: { from: string; to: string }): { from: Date; before: Date } {
  return { from: new Date(from), before: new Date(Date.parse(to) + DAY_MS) };
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
