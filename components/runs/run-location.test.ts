import { describe, expect, it } from "vitest";
import { readRunLocation, writeRunLocation } from "./run-location";

const read = (search: string) => readRunLocation(new URLSearchParams(search));

describe("the place in a run", () => {
  it("comes back from its own link", () => {
    for (const selected of ["agent:a-1", "decision:d-1", "a-1.7"]) {
      const search = writeRunLocation("", { selected, tab: "output", lens: "failed", sheet: true });
      expect(read(search)).toEqual({ selected, tab: "output", lens: "failed", sheet: true });
    }
  });

  it("changes only what is named, and keeps what others wrote", () => {
    const search = writeRunLocation("?agent=a-1&tab=input&from=mail", { selected: "a-1.2" });
    expect(read(search)).toMatchObject({ selected: "a-1.2", tab: "input" });
    expect(new URLSearchParams(search).get("from")).toBe("mail");
  });

  it("is empty for a fresh page", () => {
    expect(writeRunLocation("?show=failed&sheet=1&tab=raw", { lens: "all", sheet: false, tab: null })).toBe("");
  });

  it("shows everything when the link names a filter that does not exist", () => {
    expect(read("?show=nonsense").lens).toBe("all");
  });
});
