import { describe, expect, test } from "vitest";
import { defaultPolicy } from "@/server/tools/tool-policy";
import { serverNameOf, type ToolServerOffer, toolsOf } from "./rules";

const files = (tools: unknown, more: Partial<ToolServerOffer> = {}): ToolServerOffer => ({
  name: "files",
  tools,
  effects: {},
  policies: {},
  enabled: true,
  check_error: null,
  ...more,
});

describe("the tools of a server", () => {
  test("are named after the server, and say what the list says", () => {
    const inputSchema = { type: "object", properties: { path: { type: "string" } } };
    expect(toolsOf(files([{ name: "read_file", description: "Reads a file.", inputSchema }]))).toEqual([
      {
        name: "read_file",
        fullName: "files__read_file",
        title: "read_file",
        description: "Reads a file.",
        parameters: inputSchema,
        writes: true,
        stated: "nothing",
        override: null,
        idempotent: false,
        policy: defaultPolicy({ honours: false }),
        hasOwnPolicy: false,
        problem: null,
        canBeRead: true,
      },
    ]);
  });

  test("keep names that a model API takes: 64 characters of letters, digits, _ and -", () => {
    const long = "a".repeat(80);
    const names = toolsOf(
      files([{ name: "do it" }, { name: "do/it" }, { name: long }, { name: `${long}b` }, { name: "löschen" }]),
    );
    const full = names.map(({ fullName }) => fullName);
    expect(new Set(full).size).toBe(5);
    for (const name of full) expect(name).toMatch(/^files__[a-zA-Z0-9_-]{1,57}$/);
    expect(names.map(({ name }) => name)).toEqual(["do it", "do/it", long, `${long}b`, "löschen"]);
  });

  test("keep their names when the list is made longer or shorter", () => {
    const [alone] = toolsOf(files([{ name: "do it" }]));
    const [, among] = toolsOf(files([{ name: "other" }, { name: "do it" }]));
    expect(among?.fullName).toBe(alone?.fullName);
  });

  test("are unique even where a server names one twice or guesses a name of ours", () => {
    const [changed] = toolsOf(files([{ name: "do it" }]));
    const guess = changed?.fullName.slice("files__".length) ?? "";
    expect(toolsOf(files([{ name: "a" }, { name: "a" }]))).toHaveLength(1);
    const full = toolsOf(files([{ name: "do it" }, { name: guess }])).map(({ fullName }) => fullName);
    expect(new Set(full).size).toBe(2);
  });

  test.each([
    [undefined, undefined, true, "nothing"],
    [{ readOnlyHint: true }, undefined, false, "reads"],
    [{ readOnlyHint: false }, undefined, true, "writes"],
    [{ readOnlyHint: true }, "writes", true, "reads"],
    [undefined, "reads", false, "nothing"],
    [{ readOnlyHint: "yes" }, "perhaps", true, "nothing"],
  ])("with annotations %j and the owner's word %j write: %j", (annotations, word, writes, stated) => {
    const [tool] = toolsOf(files([{ name: "a", annotations }], { effects: word ? { a: word } : {} }));
    expect(tool).toMatchObject({ writes, stated });
  });

  test("say why they cannot be used", () => {
    expect(toolsOf(files([{ name: "a" }], { enabled: false }))[0]?.problem).toMatch(/“files” is turned off/);
    expect(toolsOf(files([{ name: "a" }], { check_error: "Nobody answers." }))[0]?.problem).toMatch(/Nobody answers/);
  });

  test.each([null, "x", {}, [1, null, {}, { name: "" }, { name: 3 }]])("of a stored list of %j are none", (tools) => {
    expect(toolsOf(files(tools))).toEqual([]);
  });
});

test("a name leads back to its server", () => {
  expect(serverNameOf("files__read__all")).toBe("files");
  expect(serverNameOf("docs_search")).toBeNull();
});
