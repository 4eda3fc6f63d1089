import { describe, expect, it } from "vitest";
import { deadLettersHref, readDeadLetterFilters } from "./dead-letter-filters";

const readBack = (href: string) => {
  const params = new URL(href, "http://troupe.test").searchParams;
  return readDeadLetterFilters((name) => params.get(name));
};

describe("filters of dead letters", () => {
  it("come back from the address they were written to", () => {
    const filters = { status: "all", search: "50 % & more", operation: "desk/large", code: "timeout" } as const;
    expect(readBack(deadLettersHref(filters))).toEqual(filters);
  });

  it("leave the address alone while nothing is chosen", () => {
    expect(deadLettersHref({ status: "open", search: "", operation: "", code: "" })).toBe("/dead-letters");
  });

  it("show what is open for a link nobody wrote", () => {
    expect(readBack(`/dead-letters?status=lost&q=${"x".repeat(300)}`)).toMatchObject({
      status: "open",
      search: "x".repeat(200),
    });
  });
});
