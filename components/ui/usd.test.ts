import { describe, expect, it } from "vitest";
import { readUsd, UNREADABLE_USD, writeUsd } from "./usd";

describe("dollars that are typed", () => {
  it("become whole nano-USD to the last digit", () => {
    expect(["0.25", " $1 ", ".5", "2.", "0.1", "1.005", "0.000000001", "1000000"].map(readUsd)).toEqual([
      250_000_000, 1_000_000_000, 500_000_000, 2_000_000_000, 100_000_000, 1_005_000_000, 1, 1_000_000_000_000_000,
    ]);
    expect(readUsd("4503599.627370497")).toBe(4_503_599_627_370_497);
  });

  it("are none when nothing is typed, and nothing when they are zero", () => {
    expect([readUsd(""), readUsd("  "), readUsd("0"), readUsd("0.00")]).toEqual([null, null, 0, 0]);
  });

  it("are refused when they can be read in two ways, are finer than a nano-dollar or too many to count", () => {
    for (const typed of ["0,25", "1,000", "1e3", "-1", ".", "1.2.3", "ten", "0.0000000001", "99999999"]) {
      expect([typed, readUsd(typed)]).toEqual([typed, UNREADABLE_USD]);
    }
    expect(readUsd("0.2500000000")).toBe(250_000_000);
  });

  it("read the same when they are written and typed again", () => {
    for (const nanoUsd of [0, 1, 250_000_000, 1_000_000_000, 1_234_567_890_123_456]) {
      expect(readUsd(writeUsd(nanoUsd))).toBe(nanoUsd);
    }
    expect([null, UNREADABLE_USD, 250_000_000, 12_000_000_000, 1].map(writeUsd)).toEqual([
      "",
      "",
      "0.25",
      "12",
      "0.000000001",
    ]);
  });
});
