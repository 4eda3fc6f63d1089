import { expect, test } from "vitest";
import { searchableWords } from "./knowledge-words";

test("only documents that are ready count as searchable, and the others are told apart", () => {
  expect(searchableWords({ documents: 3, busy: 0, failed: 0 })).toBe("3 documents");
  expect(searchableWords({ documents: 0, busy: 0, failed: 0 })).toBe("0 documents");
  expect(searchableWords({ documents: 1_204, busy: 2, failed: 1 })).toBe("1,201 of 1,204 documents ready");
  expect(searchableWords({ documents: 1, busy: 0, failed: 1 })).toBe("0 of 1 document ready");
});
