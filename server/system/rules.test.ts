import { expect, test } from "vitest";
import {
  ageWords,
  compareMigrations,
  isAtLeast,
  judgeBackup,
  judgeClock,
  judgeDisk,
  judgeQueue,
  judgeRoundTrip,
  sizeWords,
  worstFirst,
  worstOf,
} from "./rules";
import type { Check } from "./schema";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

test("a disk is judged by what is free and by its share", () => {
  const judge = (freeBytes: number, totalBytes: number) => judgeDisk({ freeBytes, totalBytes });
  expect(judge(50e9, 100e9)).toBe("ok");
  expect(judge(9e9, 100e9)).toBe("warning");
  expect(judge(1.9e9, 5e9)).toBe("warning");
  expect(judge(0.4e9, 1e9)).toBe("problem");
});

test("clocks, round trips and queues get worse by steps, whichever clock is ahead", () => {
  expect([0, 900, 1_100, -4_900, 5_100, -6_000].map(judgeClock)).toEqual([
    ...["ok", "ok", "warning", "warning", "problem", "problem"],
  ]);
  expect([0.3, 51, 501].map(judgeRoundTrip)).toEqual(["ok", "warning", "problem"]);
  expect([null, 59_000, 2 * MINUTE_MS, 16 * MINUTE_MS].map(judgeQueue)).toEqual(["ok", "ok", "warning", "problem"]);
});

test("backups are missed only where there are runs to lose", () => {
  expect(judgeBackup({ ageMs: null, hasRuns: false })).toBe("ok");
  expect(judgeBackup({ ageMs: null, hasRuns: true })).toBe("warning");
  expect(judgeBackup({ ageMs: 6 * DAY_MS, hasRuns: true })).toBe("ok");
  expect(judgeBackup({ ageMs: 8 * DAY_MS, hasRuns: true })).toBe("warning");
});

test("versions are compared as numbers, not as texts", () => {
  expect(isAtLeast("0.10.0", [0, 8])).toBe(true);
  expect(isAtLeast("0.7.4", [0, 8])).toBe(false);
  expect(isAtLeast("15.4 (Debian 15.4-1)", [15, 0])).toBe(true);
  expect(isAtLeast("20.9.0", [20, 19])).toBe(false);
});

test("migrations are compared both ways", () => {
  expect(compareMigrations({ known: ["a", "b"], applied: ["a", "c"] })).toEqual({ pending: ["b"], newer: ["c"] });
});

test("the worst comes first and counts", () => {
  const check = (state: Check["state"], id: Check["id"]): Check => {
    return { id, title: id, state, says: "", advice: null, facts: [] };
  };
  const sorted = worstFirst([check("ok", "disk"), check("problem", "clock"), check("unknown", "runs")]);
  expect(sorted.map(({ id }) => id)).toEqual(["clock", "runs", "disk"]);
  expect(worstOf(["ok", "warning", "unknown"])).toBe("warning");
  expect(worstOf([])).toBe("ok");
});

test("sizes and ages are told in the unit that fits", () => {
  expect([512, 8_200, 1_400_000, 3_100_000_000].map(sizeWords)).toEqual(["512 B", "8.2 kB", "1.4 MB", "3.1 GB"]);
  expect([400, 90_000, 3 * 60 * MINUTE_MS, 5 * DAY_MS].map(ageWords)).toEqual(["0 s", "1 min", "3 h", "5 days"]);
});
