import { describe, expect, it } from "vitest";
import { type SpendingFilters, spendingFilters } from "@/server/spending/schema";
import { callsBehind, NO_FILTERS, readSpendingFilters, spendingFileHref, spendingHref } from "./spending-filters";

const ID = "019aa6f0-0000-7000-8000-000000000001";
const ALL: SpendingFilters = {
  ...{ period: "custom", from: "2026-11-01", to: "2026-11-22", by: "call", sort: "firstToken" },
  ...{ agent: ID, team: "?", conversation: ID, run: ID, provider: "api.example.com", model: "openai/gpt-4o & more" },
  ...{ tools: "a".repeat(64), end: "tool_calls", slower: "2.5", dearer: "0.001" },
};
const paramsOf = (href: string) => new URL(href, "http://troupe.test").searchParams;
const readBack = (href: string) => readSpendingFilters((name) => paramsOf(href).get(name));

describe("filters of spending", () => {
  it("come back from the address they were written to", () => {
    expect(readBack(spendingHref(ALL))).toEqual(ALL);
  });

  it("leave the address alone while nothing is chosen", () => {
    expect(spendingHref(NO_FILTERS)).toBe("/spending");
  });

  it("leave out what nobody could have chosen", () => {
    const odd =
      "/spending?period=12&by=mood&sort=luck&agent=1&tools=x&slower=-1&cost=1e9&end=&from=2026-02-30&team=%3F";
    expect(readBack(odd)).toEqual({ ...NO_FILTERS, team: "?" });
  });

  it("reach the download under the names it reads", () => {
    const { format, ...filters } = Object.fromEntries(paramsOf(spendingFileHref(ALL, "csv")));
    expect(format).toBe("csv");
    expect(spendingFilters.parse(filters)).toEqual(ALL);
  });

  it("of the calls behind a row keep what was set, and narrow it to that row", () => {
    const filters = { ...NO_FILTERS, period: "7", by: "team", sort: "calls", end: "failed" } as const;
    expect(callsBehind(filters, "team", ID)).toEqual({
      ...{ ...NO_FILTERS, period: "7", by: "call", end: "failed", team: ID },
    });
    const day = { period: "custom", from: "2026-11-03", to: "2026-11-03", by: "call" };
    expect(callsBehind({ ...NO_FILTERS, by: "day" }, "day", "2026-11-03")).toEqual({ ...NO_FILTERS, ...day });
  });
});
