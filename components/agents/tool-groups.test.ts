import { expect, test } from "vitest";
import type { ToolChoice } from "@/server/agents/schema";
import { groupTools, matchesTool } from "./tool-groups";

const tool = (name: string, source: string): ToolChoice => ({
  name,
  source,
  title: name,
  description: "Reads a file.",
  writes: false,
  policy: null,
  problem: null,
});

test("tools are grouped by where they come from, built-in ones first", () => {
  const groups = groupTools([tool("files__read", "files"), tool("search", "built-in")], []);
  expect(groups.map(({ source, tools }) => [source, tools.map(({ name }) => name)])).toEqual([
    ["Built-in", ["search"]],
    ["files", ["files__read"]],
  ]);
});

test("a chosen tool that is gone stays in the list with its problem", () => {
  const gone = groupTools([tool("search", "built-in")], ["search", "old__tool"]).at(-1);
  expect(gone?.source).toBe("No longer available");
  expect(gone?.tools[0]?.problem).toContain("old__tool");
});

test("the search looks at name, title and description in any case", () => {
  expect(matchesTool(tool("files__read", "files"), " READ ")).toBe(true);
  expect(matchesTool(tool("files__read", "files"), "a file.")).toBe(true);
  expect(matchesTool(tool("files__read", "files"), "write")).toBe(false);
});
