import { expect, test } from "vitest";
import { daysOf, instantsOf } from "./rules";

// Late in the evening of UTC: already the next day in Kathmandu, where these tests run.
const NOW = new Date("2026-11-23T22:30:00Z");
const of = (period: Parameters<typeof daysOf>[0]["period"], from = "", to = "") => daysOf({ period, from, to }, NOW);

test("a period has as many days as it says, with today, in UTC", () => {
  expect(of("today")).toEqual({ from: "2026-11-23", to: "2026-11-23" });
  expect(of("7")).toEqual({ from: "2026-11-17", to: "2026-11-23" });
  expect(of("")).toEqual({ from: "2026-10-25", to: "2026-11-23" });
  expect(of("90")).toEqual({ from: "2026-08-26", to: "2026-11-23" });
});

test("of dates of one's own a missing one is made up, and it does not matter which was said first", () => {
  expect(of("custom", "2026-11-01", "2026-11-03")).toEqual({ from: "2026-11-01", to: "2026-11-03" });
  expect(of("custom", "2026-11-03", "2026-11-01")).toEqual({ from: "2026-11-01", to: "2026-11-03" });
  expect(of("custom", "2026-11-20")).toEqual({ from: "2026-11-20", to: "2026-11-23" });
  expect(of("custom", "2027-01-02")).toEqual({ from: "2027-01-02", to: "2027-01-02" });
  expect(of("custom", "", "2026-10-30")).toEqual({ from: "2026-10-01", to: "2026-10-30" });
  expect(of("custom")).toEqual(of(""));
  expect(of("custom", "0001-01-01").from).toBe("2016-11-26");
});

test("a day lasts until the next one begins", () => {
  expect(instantsOf({ from: "2026-11-01", to: "2026-11-01" })).toEqual({
    from: new Date("2026-11-01T00:00:00Z"),
    before: new Date("2026-11-02T00:00:00Z"),
  });
});
