import { expect, test } from "vitest";
import { unsavedWords } from "./trace-values";

test("a tick that holds only once it is saved says so", () => {
  expect(unsavedWords(true, null)).toBe("Not saved yet: it stays off until you save.");
  expect(unsavedWords(true, { enabled: false })).toBe("Not saved yet: it stays off until you save.");
  expect(unsavedWords(false, { enabled: true })).toBe("Not saved yet: it stays on until you save.");
  expect([unsavedWords(false, null), unsavedWords(true, { enabled: true })]).toEqual([null, null]);
});
