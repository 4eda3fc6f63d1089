import fc from "fast-check";
import { expect, test } from "vitest";
import { storedJson } from "./stored-json";

test("a NUL and half a surrogate pair become the replacement character, wherever they are", () => {
  const value = { text: "a\0b", list: ["\ud83e", "x\udd29"], whole: "🧩", nested: { said: "\\u0000" } };
  expect(JSON.parse(storedJson(value))).toEqual({
    text: "a\ufffdb",
    list: ["\ufffd", "x\ufffd"],
    whole: "🧩",
    nested: { said: "\\u0000" },
  });
});

test("any text comes out storable, and storable text unchanged", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
      (text) => {
        const { said } = JSON.parse(storedJson({ said: text })) as { said: string };
        expect(said).toHaveLength(text.length);
        expect(said.includes("\0")).toBe(false);
        expect(JSON.stringify(said)).not.toMatch(/(?<!\\)(\\\\)*\\ud/);
        expect(JSON.parse(storedJson({ said }))).toEqual({ said });
      },
    ),
  );
});
