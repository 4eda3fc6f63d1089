import { describe, expect, it } from "vitest";
import { readRunFilters, runFiltersToQuery } from "./run-list-filters";

const read = (query: string) => {
  const params = new URLSearchParams(query);
  return readRunFilters((name) => params.get(name));
};

describe("filters of the runs list", () => {
  it("come back from the address they were written to", () => {
    for (const filters of [
      { status: "all", search: "" },
      { status: "failed", search: "50 % & more?" },
    ] as const) {
      expect(read(runFiltersToQuery(filters))).toEqual(filters);
    }
  });

  it("leave the address alone by default", () => {
    expect(runFiltersToQuery({ status: "all", search: "" })).toBe("");
  });

  it("survive an address somebody mistyped", () => {
    expect(read("?status=bogus")).toEqual({ status: "all", search: "" });
    expect(read(`?q=${"x".repeat(500)}`).search).toHaveLength(200);
  });
});
