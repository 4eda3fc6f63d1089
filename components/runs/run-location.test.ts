import { describe, expect, it } from "vitest";
import { NO_FILTER, type RunFilter } from "./run-filter";
import { readRunLocation, writeRunLocation } from "./run-location";

const read = (search: string) => readRunLocation(new URLSearchParams(search));

describe("the place in a run", () => {
  it("comes back from its own link", () => {
    for (const selected of ["agent:a-1", "decision:d-1", "a-1.7"]) {
      const filter: RunFilter = {
        ...{ lens: "failed", text: "dock 4 & more", agent: "Billing writer 011", kind: "tool" },
        ...{ minCostNanoUsd: 1_500, minMs: 2_000, only: true },
      };
      const zoom = { fromMs: 1_200, toMs: 4_500 };
      const place = { selected, tab: "output", filter, sheet: true, look: "state" as const, zoom };
      expect(read(writeRunLocation("", place))).toEqual(place);
    }
  });

  it("changes only what is named, and keeps what others wrote", () => {
    const search = writeRunLocation("?agent=a-1&tab=input&from=mail", { selected: "a-1.2" });
    expect(read(search)).toMatchObject({ selected: "a-1.2", tab: "input" });
    expect(new URLSearchParams(search).get("from")).toBe("mail");
  });

  it("is empty for a fresh page", () => {
    expect(
      writeRunLocation("?show=failed&sheet=1&tab=raw&q=x&only=1", { filter: NO_FILTER, sheet: false, tab: null }),
    ).toBe("");
    expect(writeRunLocation("?view=cost&zoom=1-900", { look: "steps", zoom: null })).toBe("");
  });

  it("shows everything when the link names a filter that does not exist", () => {
    expect(read("?view=dreams&zoom=9-3")).toMatchObject({ look: "steps", zoom: null });
    expect(read("?show=nonsense&kind=team&cost=much&ms=-1").filter).toEqual(NO_FILTER);
  });
});
