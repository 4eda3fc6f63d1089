import { expect, test } from "vitest";
import { resultText } from "./result-text";

test.each([
  ["words", '{"output":"words"}'],
  [{ a: [1, null] }, '{"a":[1,null]}'],
  [undefined, '{"output":"done"}'],
  [null, '{"output":"done"}'],
  ["", '{"output":"done"}'],
  [" \n", '{"output":"done"}'],
  [() => 1, '{"output":"done"}'],
  [Number.NaN, "null"],
  ["half \ud83d of a pair and \0", JSON.stringify({ output: "half \ud83d of a pair and \0" })],
])("%j is told as %s", (value, content) => {
  expect(resultText(value)).toEqual({ content });
});

test("what is too long is cut and says so, whatever it is", () => {
  const said = JSON.parse(resultText("x".repeat(300_000)).content);
  expect(said.output).toHaveLength(200_000);
  expect(said.cut).toMatch(/has 300000 characters; only the first 200000/);
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key${i}`, i]));
  const cut = JSON.parse(resultText(many).content);
  expect(cut.output).toMatch(/^\{"key0":0,"key1":1,/);
  expect(cut.cut).toMatch(/only the first 200000/);
});

test("what cannot be written is an error in words", () => {
  const itself: Record<string, unknown> = {};
  itself.itself = itself;
  for (const value of [itself, { big: 1n }]) {
    const { content, error } = resultText(value);
    expect(error?.code).toBe("unusable_result");
    expect(JSON.parse(content)).toEqual({ tool_call_error: error?.message });
    expect(error?.message).toMatch(/^The tool's result cannot be written as JSON: [^\n]+$/);
  }
});
