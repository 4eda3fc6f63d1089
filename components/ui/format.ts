/** Numbers as the console writes them. Pure: no clock, no locale of the reader except the time zone in dates. */

const NANO_PER_USD = 1_000_000_000;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** "1,104". */
export function formatCount(count: number): string {
  return grouped.format(count);
}

/** "1 run", "3 runs". */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/**
 * US dollars from integer nano-USD. Runs show four digits, summaries two. An amount too small for the digits
 * reads "<$0.01" instead of "$0.00": it was not free.
 */
export function formatMoney(nanoUsd: number, digits: 2 | 4 = 4): string {
  const unit = NANO_PER_USD / 10 ** digits;
  const units = Math.round(Math.abs(nanoUsd) / unit);
  const sign = nanoUsd < 0 ? "−" : "";
  if (units === 0 && nanoUsd !== 0) return `<${sign}$${(1 / 10 ** digits).toFixed(digits)}`;
  const whole = Math.floor(units / 10 ** digits);
  const fraction = String(units % 10 ** digits).padStart(digits, "0");
  return `${sign}$${grouped.format(whole)}.${fraction}`;
}

/** An amount somebody set, to its last digit and at least two: "$0.25", "$0.075". */
export function formatExactMoney(nanoUsd: number): string {
  const digits = String(nanoUsd).padStart(10, "0");
  const fraction = digits.slice(-9).replace(/0{1,7}$/, "");
  return `$${grouped.format(Number(digits.slice(0, -9)))}.${fraction}`;
}

/** "940", "61.8k", "412k", "2.1M". */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 99_950) return `${(tokens / 1000).toFixed(1)}k`;
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** "512 B", "8.2 kB", "1.4 MB", "3.1 GB" (decimal units). */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`;
  if (bytes < 999_950_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** "340 ms", "1.1 s", "12 m 10 s", "1 h 12 m", "2 d 3 h". */
export function formatDuration(durationMs: number): string {
  const ms = Math.max(0, Math.round(durationMs));
  if (ms < SECOND_MS) return `${ms} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  return formatLongDuration(ms);
}

/** As `formatDuration`, in whole seconds: for clocks that tick, where tenths would flicker. */
export function formatElapsed(durationMs: number): string {
  const ms = Math.max(0, durationMs);
  return ms < MINUTE_MS ? `${Math.floor(ms / SECOND_MS)} s` : formatLongDuration(ms);
}

function formatLongDuration(ms: number): string {
  const seconds = Math.max(60, Math.floor(ms / SECOND_MS));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${String(seconds % 60).padStart(2, "0")} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${String(minutes % 60).padStart(2, "0")} m`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A span somebody set: "8 h", "1 h 30 min", "45 s"; below a minute with the parts of a second that fields take: "0.2 s". */
export function formatSpan(durationMs: number): string {
  if (durationMs < MINUTE_MS) return `${Math.round(durationMs / 10) / 100} s`;
  const seconds = Math.round(durationMs / SECOND_MS);
  const parts = [
    { count: Math.floor(seconds / 3600), unit: "h" },
    { count: Math.floor(seconds / 60) % 60, unit: "min" },
    { count: seconds % 60, unit: "s" },
  ].filter(({ count }) => count > 0);
  return parts.map(({ count, unit }) => `${count} ${unit}`).join(" ");
}

/** "just now", "13 min ago", "2 h ago", "yesterday", "3 days ago", then the date. Days are the reader's own. */
export function formatRelative(at: Date, now: Date): string {
  const ago = now.getTime() - at.getTime();
  if (ago < 0) return `in ${formatTimeLeft(-ago)}`;
  if (ago < 45 * SECOND_MS) return "just now";
  if (ago < HOUR_MS) return `${Math.max(1, Math.floor(ago / MINUTE_MS))} min ago`;
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS);
  if (days === 0 || ago < 6 * HOUR_MS) return `${Math.floor(ago / HOUR_MS)} h ago`;
  if (days === 1) return "yesterday";
  if (days < 7) return `${days} days ago`;
  return formatDate(at, now);
}

/** Time until a deadline, to the nearest: "40 s", "24 min", "3 h", "2 days". What was just set for a week reads "7 days". */
export function formatTimeLeft(leftMs: number): string {
  const ms = Math.max(0, leftMs);
  const [seconds, minutes, hours] = [Math.ceil(ms / SECOND_MS), Math.round(ms / MINUTE_MS), Math.round(ms / HOUR_MS)];
  if (seconds < 60) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min`;
  if (hours < 48) return `${hours} h`;
  return `${Math.round(ms / DAY_MS)} days`;
}

/** "12 Nov", with the year when it is not this one. */
export function formatDate(at: Date, now: Date): string {
  const year = at.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year }).format(at);
}

/** "21 Nov 2026, 14:03:12 GMT+1", for hovering and for copying. */
export function formatExact(at: Date): string {
  const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" }).format(at);
  const time = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "shortOffset",
  }).format(at);
  return `${date}, ${time}`;
}

/** "14:03:12", where the day is clear. */
export function formatClock(at: Date): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(at);
}

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}
