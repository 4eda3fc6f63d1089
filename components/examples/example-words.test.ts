import { expect, test } from "vitest";
import { exampleCounts } from "./example-words";

test("counts are said by noun, in the order people meet them, and nothing is said of what there is none of", () => {
  expect(exampleCounts([])).toBe("");
  expect(exampleCounts([{ noun: "team" }])).toBe("1 team");
  expect(exampleCounts([{ noun: "base" }, { noun: "run" }, { noun: "run" }, { noun: "tool_server" }])).toBe(
    "2 runs, 1 knowledge base and 1 tool server",
  );
});
