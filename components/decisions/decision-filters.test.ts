import { describe, expect, it } from "vitest";
import { type DecisionFilters, decisionFilters } from "@/server/decisions/schema";
import { decisionsHref, labelledHref, NO_FILTERS, readDecisionFilters } from "./decision-filters";

const TEAM = "019aa6f0-0000-7000-8000-000000000001";
const ALL: DecisionFilters = {
  ...{ search: "50 % & more", kind: "tool_choice", source: "model-stated", outcome: "failed", label: "unlabelled" },
  ...{ version: "3", rank: "likeness", about: "order:47 11/a&b" },
  ...{
    agent: "Desk lead",
    team: TEAM,
    conversation: TEAM,
    option: "agent:Fact-checker",
    from: "2026-11-01",
    to: "2026-11-22",
  },
};
const paramsOf = (href: string) => new URL(href, "http://troupe.test").searchParams;
const readBack = (href: string) => readDecisionFilters((name) => paramsOf(href).get(name));

describe("filters of decisions", () => {
  it("come back from the address they were written to", () => {
    expect(readBack(decisionsHref(ALL))).toEqual(ALL);
  });

  it("leave the address alone while nothing is chosen", () => {
    expect(decisionsHref(NO_FILTERS)).toBe("/decisions");
    expect(labelledHref(NO_FILTERS)).toBe("/api/decisions/labelled");
  });

  it("leave out what nobody could have chosen", () => {
    const odd =
      "/decisions?kind=lost&source=x&outcome=&label=maybe&team=1&conversation=2&about=order&from=yesterday&to=2026-02-30&agent=Lead";
    expect(readBack(odd)).toEqual({ ...NO_FILTERS, agent: "Lead" });
    expect(readBack(`/decisions?q=${"x".repeat(300)}`).search).toBe("x".repeat(200));
  });

  it("reach the download under the names it reads", () => {
    expect(decisionFilters.parse(Object.fromEntries(paramsOf(labelledHref(ALL))))).toEqual(ALL);
  });
});
