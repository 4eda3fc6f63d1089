import { describe, expect, it } from "vitest";
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatElapsed,
  formatExact,
  formatExactMoney,
  formatMoney,
  formatPlural,
  formatRelative,
  formatSpan,
  formatTimeLeft,
  formatTokens,
} from "./format";

describe("money", () => {
  it("shows four digits in runs and two in summaries", () => {
    expect(formatMoney(412_700_000)).toBe("$0.4127");
    expect(formatMoney(412_700_000, 2)).toBe("$0.41");
    expect(formatMoney(1_234_567_890_000_000, 2)).toBe("$1,234,567.89");
  });

  it("carries into the dollars when it rounds up", () => {
    expect(formatMoney(999_960_000)).toBe("$1.0000");
    expect(formatMoney(1_995_000_000, 2)).toBe("$2.00");
  });

  it("never shows a small charge as free", () => {
    expect(formatMoney(0)).toBe("$0.0000");
    expect(formatMoney(1)).toBe("<$0.0001");
    expect(formatMoney(3_000_000, 2)).toBe("<$0.01");
    expect(formatMoney(50_000)).toBe("$0.0001");
  });
});

describe("money that somebody set", () => {
  it("keeps every digit, and two at least", () => {
    expect([250_000_000, 75_000_000, 1, 12_000_000_000, 1_000_000_100_000_000].map(formatExactMoney)).toEqual([
      "$0.25",
      "$0.075",
      "$0.000000001",
      "$12.00",
      "$1,000,000.10",
    ]);
  });
});

describe("tokens and bytes", () => {
  it("shortens thousands and millions", () => {
    expect([0, 999, 1000, 61_800, 99_949, 99_950, 412_300, 999_499, 999_500, 2_100_000].map(formatTokens)).toEqual([
      "0",
      "999",
      "1.0k",
      "61.8k",
      "99.9k",
      "100k",
      "412k",
      "999k",
      "1.0M",
      "2.1M",
    ]);
  });

  it("shows bytes in decimal units", () => {
    expect([512, 8200, 999_950, 1_400_000].map(formatBytes)).toEqual(["512 B", "8.2 kB", "1.0 MB", "1.4 MB"]);
    expect(formatBytes(71_673_800_000)).toBe("71.7 GB");
  });

  it("groups thousands and picks the plural", () => {
    expect(formatCount(1104)).toBe("1,104");
    expect(formatPlural(1, "run")).toBe("1 run");
    expect(formatPlural(0, "reply", "replies")).toBe("0 replies");
  });
});

describe("durations", () => {
  it("picks the unit a person would", () => {
    expect([340, 1100, 59_940, 730_000, 4_320_000, 183_600_000].map(formatDuration)).toEqual([
      "340 ms",
      "1.1 s",
      "59.9 s",
      "12 m 10 s",
      "1 h 12 m",
      "2 d 3 h",
    ]);
  });

  it("never writes sixty seconds as seconds", () => {
    expect(formatDuration(59_951)).toBe("1 m 00 s");
    expect(formatDuration(59_999)).toBe("1 m 00 s");
  });

  it("never goes below zero when clocks disagree", () => {
    expect(formatDuration(-500)).toBe("0 ms");
    expect(formatElapsed(-500)).toBe("0 s");
  });

  it("ticks in whole seconds", () => {
    expect([999, 48_400, 60_000, 819_000].map(formatElapsed)).toEqual(["0 s", "48 s", "1 m 00 s", "13 m 39 s"]);
  });
});

describe("relative time", () => {
  // 14:00 in Kathmandu, the zone the tests run in.
  const now = new Date("2026-11-21T08:15:00Z");
  const age = (ms: number) => formatRelative(new Date(now.getTime() - ms), now);
  const minute = 60_000;
  const hour = 60 * minute;

  it("counts minutes and hours first", () => {
    expect([1000, 46_000, 13 * minute, 59.9 * minute, 2 * hour, 13 * hour].map(age)).toEqual([
      "just now",
      "1 min ago",
      "13 min ago",
      "59 min ago",
      "2 h ago",
      "13 h ago",
    ]);
  });

  it("turns to days at the reader's own midnight", () => {
    expect(age(15 * hour)).toBe("yesterday");
    expect(age(39 * hour)).toBe("2 days ago");
  });

  it("names the date after a week, with the year when it is another", () => {
    expect(age(9 * 24 * hour)).toBe("12 Nov");
    expect(formatRelative(new Date("2025-03-02T12:00:00Z"), now)).toBe("2 Mar 2025");
  });

  it("says what is left of a deadline", () => {
    expect([30_000, 24 * minute, 3 * hour, 50 * hour].map(formatTimeLeft)).toEqual(["30 s", "24 min", "3 h", "2 days"]);
    expect(formatRelative(new Date(now.getTime() + 24 * minute), now)).toBe("in 24 min");
  });

  it("rounds what is left to the nearest, and never writes sixty of the smaller unit", () => {
    const aSecond = 1000;
    const left = [
      59_001,
      89 * aSecond,
      91 * aSecond,
      hour - aSecond,
      48 * hour - aSecond,
      7 * 24 * hour - aSecond,
      59 * hour,
    ];
    expect(left.map(formatTimeLeft)).toEqual(["1 min", "1 min", "2 min", "1 h", "2 days", "7 days", "2 days"]);
    expect(formatRelative(new Date(now.getTime() + 7 * 24 * hour - aSecond), now)).toBe("in 7 days");
  });

  it("gives the exact time with its offset", () => {
    expect(formatExact(now)).toBe("21 Nov 2026, 14:00:00 GMT+5:45");
  });
});

describe("a span somebody set", () => {
  it("names only the units it is made of", () => {
    expect([28_800_000, 5_400_000, 600_000, 90_000, 45_000, 0].map(formatSpan)).toEqual([
      "8 h",
      "1 h 30 min",
      "10 min",
      "1 min 30 s",
      "45 s",
      "0 s",
    ]);
    // Waits between retries are shorter than a second.
    expect([200, 1_500, 50, 59_990].map(formatSpan)).toEqual(["0.2 s", "1.5 s", "0.05 s", "59.99 s"]);
  });
});
