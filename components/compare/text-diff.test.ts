import { expect, test } from "vitest";
import { diffTexts, type TextPart } from "./text-diff";

const without = (parts: TextPart[] | null, side: TextPart["in"]) =>
  (parts ?? [])
    .filter((part) => part.in !== side)
    .map(({ text }) => text)
    .join("");

test("by words, what is only in one of them is apart", () => {
  expect(diffTexts("A lantern may be borrowed.", "A boat may be borrowed.", "words")).toEqual([
    { text: "A ", in: "both" },
    { text: "lantern", in: "left" },
    { text: "boat", in: "right" },
    { text: " may be borrowed.", in: "both" },
  ]);
});

test("by lines, a line is one thing", () => {
  expect(diffTexts("one\ntwo\n", "one\n2\n", "lines")).toEqual([
    { text: "one\n", in: "both" },
    { text: "two\n", in: "left" },
    { text: "2\n", in: "right" },
  ]);
});

test.each(["words", "lines"] as const)("both texts can be read again from it (%s)", (by) => {
  const [left, right] = ["One.\n\nTwo *three* four.\n", "One!\n\nTwo four.  \nFive."];
  const parts = diffTexts(left, right, by);
  expect(without(parts, "right")).toBe(left);
  expect(without(parts, "left")).toBe(right);
});

test("long texts with nothing in common are told apart, or given up, in bounded time", () => {
  const text = (word: string) => Array.from({ length: 20_000 }, (_, at) => `${word}${at}`).join(" ");
  const begun = performance.now();
  const parts = diffTexts(text("a"), text("b"), "words");
  expect(performance.now() - begun).toBeLessThan(3_000);
  if (parts) expect(without(parts, "right")).toBe(text("a"));
});
