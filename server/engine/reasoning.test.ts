import { expect, test } from "vitest";
import { keptReasoning, reasonIn, reasoningUnit } from "./reasoning";

test("nothing thought is nothing recorded, and no reason", () => {
  expect([reasoningUnit(3, {}), reasoningUnit(3, { reasoning: " \n" })]).toEqual([{}, {}]);
  expect([reasonIn(undefined), reasonIn(""), reasonIn(" \n\n ")]).toEqual([null, null, null]);
  expect(reasoningUnit(3, { reasoning: "Hm." })).toEqual({ reasonings: [{ position: 3, text: "Hm." }] });
});

test("a long one keeps its beginning and its end, and says how much is left out", () => {
  expect(keptReasoning("a".repeat(32_000))).toBe("a".repeat(32_000));
  const kept = keptReasoning(`${"a".repeat(30_000)}${"b".repeat(10_000)}`);
  expect(kept).toBe(`${"a".repeat(24_000)}\n\n[… 8000 characters are left out here …]\n\n${"b".repeat(8_000)}`);
});

test("its last paragraph is the reason, in one line", () => {
  expect(reasonIn("They ask for a price.\n\nThe list has it,\nso I look there. \n")).toBe(
    "The list has it, so I look there.",
  );
});

test("of a long paragraph the last sentences are, and of an endless one the last words", () => {
  const reason = reasonIn(`${"I could look here. ".repeat(100)}So I call the library.`) ?? "";
  expect(reason).toMatch(/^… I could look here\. .* So I call the library\.$/);
  expect(reason.length).toBeLessThanOrEqual(502);
  expect(reasonIn("word ".repeat(1_000))).toMatch(/^… word( word)*$/);
  expect(reasonIn("x".repeat(1_000))).toBe(`… ${"x".repeat(500)}`);
});
