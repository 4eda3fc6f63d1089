import { CHECK_STATES, type Check, type CheckState } from "./schema";

/** What counts as well. Pure: figures in, a verdict out. */

const GB = 1_000_000_000;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The worst of several; ok when there are none. */
export function worstOf(states: readonly CheckState[]): CheckState {
  return CHECK_STATES.find((state) => states.includes(state)) ?? "ok";
}

/** Problems first; among equals the given order. */
export function worstFirst(checks: readonly Check[]): Check[] {
  return checks.toSorted((a, b) => CHECK_STATES.indexOf(a.state) - CHECK_STATES.indexOf(b.state));
}

/** Below 500 MB a database soon cannot write; below 2 GB or a tenth it is time to look. */
export function judgeDisk({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }): CheckState {
  if (freeBytes < GB / 2) return "problem";
  return freeBytes < 2 * GB || freeBytes < totalBytes / 10 ? "warning" : "ok";
}

/** Sessions and deadlines are compared across the two clocks: a second is noise, above five they go wrong. */
export function judgeClock(skewMs: number): CheckState {
  const apart = Math.abs(skewMs);
  if (apart > 5 * SECOND_MS) return "problem";
  return apart > SECOND_MS ? "warning" : "ok";
}

/** A turn takes some ten round trips: above 50 ms runs become slow, above 500 ms everything does. */
export function judgeRoundTrip(ms: number): CheckState {
  if (ms > 500) return "problem";
  return ms > 50 ? "warning" : "ok";
}

/** How long the oldest piece of waiting work has waited; null when none waits. */
export function judgeQueue(oldestMs: number | null): CheckState {
  if (oldestMs === null || oldestMs < MINUTE_MS) return "ok";
  return oldestMs < 15 * MINUTE_MS ? "warning" : "problem";
}

/** An installation without runs has little to lose yet. */
export function judgeBackup({ ageMs, hasRuns }: { ageMs: number | null; hasRuns: boolean }): CheckState {
  if (!hasRuns) return "ok";
  return ageMs === null || ageMs > 7 * DAY_MS ? "warning" : "ok";
}

/** Whether a version such as "0.8.1" or "v20.19.0" is at least major.minor. */
export function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, isMajor = "0", isMinor = "0"] = /(\d+)(?:\.(\d+))?/.exec(version) ?? [];
  return Number(isMajor) > major || (Number(isMajor) === major && Number(isMinor) >= minor);
}

export type MigrationState = { applied: readonly string[]; known: readonly string[] };

/** What this build has and the database lacks, and the other way about. */
export function compareMigrations({ applied, known }: MigrationState): { pending: string[]; newer: string[] } {
  return {
    pending: known.filter((name) => !applied.includes(name)),
    newer: applied.filter((name) => !known.includes(name)),
  };
}

/** "512 B", "8.2 kB", "1.4 MB", "3.1 GB" (decimal units). */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  for (const [unit, size] of [
    ["kB", 1e3],
    ["MB", 1e6],
  ] as const) {
    if (bytes < size * 999.95) return `${(bytes / size).toFixed(1)} ${unit}`;
  }
  return `${(bytes / GB).toFixed(1)} GB`;
}

/** "40 s", "13 min", "5 h", "12 days". */
export function ageWords(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.round(ms / SECOND_MS))} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} days`;
}

/** "1 run", "3 runs". */
export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}
