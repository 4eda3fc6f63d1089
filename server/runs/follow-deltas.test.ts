import { expect, test } from "vitest";
import { DeltaBuffer } from "./follow-deltas";

const piece = (offset: number, text: string, position = 0) => ({
  runId: "r",
  agentRunId: "a",
  position,
  offset,
  text,
});

test("pieces that continue each other are handed over as one", () => {
  const buffer = new DeltaBuffer();
  buffer.push(piece(0, "Half a "));
  buffer.push(piece(7, "sentence"));
  expect(buffer.take()).toEqual([piece(0, "Half a sentence")]);
  expect(buffer.isEmpty).toBe(true);
});

test("pieces of another step, or after a gap, stay apart", () => {
  const buffer = new DeltaBuffer();
  buffer.push(piece(0, "one"));
  buffer.push(piece(0, "two", 1));
  buffer.push(piece(9, "three", 1));
  expect(buffer.take()).toEqual([piece(0, "one"), piece(0, "two", 1), piece(9, "three", 1)]);
});

test("a full buffer drops what comes until it was read", () => {
  const buffer = new DeltaBuffer();
  const long = "x".repeat(40_000);
  expect(buffer.push(piece(0, long))).toBe(true);
  expect(buffer.push(piece(40_000, long))).toBe(false);
  expect(buffer.take()).toEqual([piece(0, long)]);
  expect(buffer.push(piece(80_000, long))).toBe(true);
});
