import { expect, test } from "vitest";
import { entryTextIn, writtenEntry } from "./rules";

test("an entry is read from its file as it was written, whatever its title and text are made of", () => {
  for (const title of ["Refunds", "# 1 of 2", "C# › a/b", "$& and \\n"]) {
    for (const text of [
      "One line.",
      "# A heading of its own\n\nText.",
      "# Refunds\n\nTwice.",
      "- a\n- b\n\n```\n# no\n```",
    ]) {
      expect(entryTextIn(writtenEntry({ title, text }), title)).toBe(text);
    }
  }
});

test("a file without the title as its heading is all text", () => {
  expect(entryTextIn("Only text.\n", "Refunds")).toBe("Only text.");
});
