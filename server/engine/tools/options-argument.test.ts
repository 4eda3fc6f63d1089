import { expect, test } from "vitest";
import { optionsArgument } from "./options-argument";

const valuesOf = (options: unknown) => optionsArgument.parse(options).map(({ value }) => value);

test("options come as a list, as a list written in JSON, or not at all; one that is there twice is one", () => {
  expect(valuesOf(["Red", "Blue", "Red"])).toEqual(["Red", "Blue"]);
  expect(valuesOf('["Red", "Blue"]')).toEqual(["Red", "Blue"]);
  expect(valuesOf(undefined)).toEqual([]);
});

test.each(["Red, Blue", '{"a":"Red"}', { a: "Red" }, [1, 2], '["Red", null]', [""], 7, null])(
  "%j is no list of options",
  (options) => {
    expect(optionsArgument.safeParse(options).success).toBe(false);
  },
);
