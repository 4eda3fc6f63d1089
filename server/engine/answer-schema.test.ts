import { expect, test } from "vitest";
import { answerKindOf, answerSchema } from "./answer-schema";

const options = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

test.each(["choice", "confirm", "several"] as const)("a stored schema says that the answer is a %s", (kind) => {
  expect(answerKindOf(answerSchema(kind, options))).toBe(kind);
});

test("whatever else is stored stands for one text, as it always did", () => {
  for (const schema of [{ type: "string", minLength: 1 }, {}, null, "string", []])
    expect(answerKindOf(schema)).toBe("choice");
});
