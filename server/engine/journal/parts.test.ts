import { expect, test } from "vitest";
import { storedJson } from "../stored-json";
import { partsOf } from "./parts";

test("a text is cut into parts that join to the same text", () => {
  expect(partsOf("abcdefg", 3)).toEqual(["abc", "def", "g"]);
  expect(partsOf("abc", 3)).toEqual(["abc"]);
  expect(partsOf("", 3)).toEqual([]);
});

test("no part ends inside a surrogate pair, so that each can be stored as it is", () => {
  const text = "ab🧩cd🧩🧩e";
  const parts = partsOf(text, 3);
  expect(parts.join("")).toBe(text);
  expect(JSON.parse(storedJson(parts))).toEqual(parts);
  expect(parts.every((part) => part.length <= 3)).toBe(true);
});
