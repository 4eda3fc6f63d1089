import { describe, expect, it } from "vitest";
import { cutoffsOf, tooLargeToUpload, whyNotAdd, whyNotStart, whyNotUpload } from "./rules";
import { DEFAULT_LIMITS, KEEP_EVERYTHING, MB, storedLimits, storedRetention } from "./schema";

const nothing = { runsToday: 0, runsAtWork: 0, usedBytes: 0 };

describe("limits", () => {
  it("have defaults where the workspace says nothing", () => {
    expect(storedLimits.parse({})).toEqual(DEFAULT_LIMITS);
    expect(storedLimits.parse({ runsAtOnce: null, storageMb: 5 })).toMatchObject({
      ...{ runsAtOnce: null, storageMb: 5, runsPerDay: 1_000, uploadMb: 50 },
    });
    expect(storedRetention.parse({ runDays: 3 })).toEqual({ ...KEEP_EVERYTHING, runDays: 3 });
  });

  it("let an upload fill the last byte", () => {
    const limits = { ...DEFAULT_LIMITS, storageMb: 10 };
    expect(whyNotUpload(limits, 9 * MB, MB)).toBeNull();
    expect(whyNotUpload(limits, 9 * MB, MB + 1)).toMatch(
      /^This workspace may keep 10 MB and keeps 9 MB; this file needs 1 MB/,
    );
    expect(whyNotUpload({ ...limits, storageMb: null }, 1e15, 1e15)).toBeNull();
  });

  it("name the owner only where an owner can help", () => {
    expect(tooLargeToUpload(DEFAULT_LIMITS)).toBe(
      "This file is larger than 50 MB, the most one file may have. Split it.",
    );
    expect(tooLargeToUpload({ ...DEFAULT_LIMITS, uploadMb: 5 })).toContain("An owner can change the limit");
  });

  it("count what is there without the one that asks", () => {
    const limits = { ...DEFAULT_LIMITS, documentsPerBase: 2, runsPerDay: 3, runsAtOnce: 4, storageMb: 1 };
    expect([1, 2].map((documents) => whyNotAdd(limits, documents) === null)).toEqual([true, false]);
    expect([2, 3].map((runsToday) => whyNotStart(limits, { ...nothing, runsToday }) === null)).toEqual([true, false]);
    expect([3, 4].map((runsAtWork) => whyNotStart(limits, { ...nothing, runsAtWork }) === null)).toEqual([true, false]);
    expect([MB - 1, MB].map((usedBytes) => whyNotStart(limits, { ...nothing, usedBytes }) === null)).toEqual([
      true,
      false,
    ]);
    const none = { ...limits, documentsPerBase: null, runsPerDay: null, runsAtOnce: null, storageMb: null };
    expect(whyNotStart(none, { runsToday: 1e9, runsAtWork: 1e9, usedBytes: 1e15 })).toBeNull();
    expect(whyNotAdd(none, 1e9)).toBeNull();
  });
});

describe("cutoffs", () => {
  it("are counted back in days, and left out for what is kept", () => {
    const asOf = new Date("2026-03-01T12:00:00.000Z");
    expect(cutoffsOf({ runDays: 1, conversationDays: null, uploadDays: 59 }, asOf)).toEqual({
      runs: "2026-02-28T12:00:00.000Z",
      uploads: "2026-01-01T12:00:00.000Z",
    });
  });
});
