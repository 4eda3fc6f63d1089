import { expect, test } from "vitest";
import { compareHref, readCompareLocation } from "./compare-location";

test("the address names both runs, one, or none, and what is read back is what was written", () => {
  expect(compareHref({})).toBe("/runs/compare");
  expect(compareHref({ left: "one" })).toBe("/runs/compare?left=one");
  const location = { left: "one", right: "two", at: "0.4" };
  const params = new URL(compareHref(location), "http://here").searchParams;
  expect(readCompareLocation((name) => params.get(name))).toEqual(location);
  expect(readCompareLocation(() => "")).toEqual({ left: null, right: null, at: null });
});
