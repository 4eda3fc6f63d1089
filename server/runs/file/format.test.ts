import { expect, test } from "vitest";
import { BLOB_SHAPES } from "./format";

test("what a request was made with beside its messages is of the kind that is shown, or not there", () => {
  const judge = (also: object) => BLOB_SHAPES.request.safeParse({ model: "a/b", tools: [], ...also }).success;
  expect(judge({})).toBe(true);
  expect(judge({ maxOutputTokens: 4_096, endpoint: "https://1.1.1.1/v1", contextTokens: 32_000 })).toBe(true);
  expect(judge({ maxOutputTokens: null, endpoint: null, contextTokens: null })).toBe(true);
  for (const odd of [{ maxOutputTokens: "many" }, { maxOutputTokens: 0.5 }, { endpoint: {} }, { contextTokens: -1 }]) {
    expect(judge(odd)).toBe(false);
  }
});
