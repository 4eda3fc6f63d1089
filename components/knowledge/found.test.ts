import { expect, test } from "vitest";
import { splitAt } from "./found";

const shown = (text: string, search: string) =>
  splitAt(text, search).map(({ part, isFound }) => (isFound ? `[${part}]` : part));

test.each([
  ["Refund and refunds", "refund", ["[Refund]", " and ", "[refund]", "s"]],
  ["a (b) [c]", "(b) [", ["a ", "[(b) []", "c]"]],
  ["nothing here", "else", ["nothing here"]],
  ["whole", "", ["whole"]],
])("in %j the words %j are marked, and nothing of the text is lost", (text, search, parts) => {
  expect(shown(text, search)).toEqual(parts);
  expect(
    splitAt(text, search)
      .map(({ part }) => part)
      .join(""),
  ).toBe(text);
});
