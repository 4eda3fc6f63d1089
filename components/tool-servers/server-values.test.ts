import { expect, test } from "vitest";
import { aSecretField } from "@/components/ui/secret-field";
import { createToolServerInput } from "@/server/tool-servers/schema";
import { commandLine } from "./command-line";
import { importServers } from "./import-servers";
import { EMPTY_VALUES, inputOf, toFormFields } from "./server-values";

test("a form sends only what belongs to its transport", () => {
  const both = {
    ...EMPTY_VALUES,
    name: "files",
    url: "https://a.test/mcp",
    command: "npx",
    args: "-y\n\n  \nserver x\n",
  };
  expect(inputOf(both)).toMatchObject({ url: "https://a.test/mcp", command: "", args: [] });
  expect(inputOf({ ...both, transport: "stdio" })).toMatchObject({ url: "", command: "npx", args: ["-y", "server x"] });
  expect(createToolServerInput.safeParse(inputOf(both)).success).toBe(true);
});

test("empty rows are not sent, stored values are kept, and messages find their row", () => {
  const secrets = [
    aSecretField(),
    aSecretField({ name: "Kept", isStored: true }),
    aSecretField({ name: "New ", value: "x" }),
  ];
  const values = { ...EMPTY_VALUES, secrets };
  expect(inputOf(values).secrets).toEqual([
    { name: "Kept", value: null },
    { name: "New", value: "x" },
  ]);
  expect(toFormFields({ "secrets.1.name": "Taken.", url: "Wrong." }, values)).toEqual({
    "secrets.2.name": "Taken.",
    url: "Wrong.",
  });
});

test.each([
  ["npx", ["-y", "@scope/server", "/data"], "npx -y @scope/server /data"],
  ["/usr/bin/my tool", ["", "it's", "$HOME;x"], "'/usr/bin/my tool' '' 'it'\\''s' '$HOME;x'"],
])("%s %j is shown as a shell would take it", (command, args, line) => {
  expect(commandLine(command, args)).toBe(line);
});

const one = (server: object, name = "files") => importServers(JSON.stringify({ mcpServers: { [name]: server } }));

test("a configuration of another client fills the form", () => {
  expect(
    one({ command: "npx", args: ["-y", "x"], env: { KEY: "abc", COUNT: 3, ON: true }, cwd: "/x" }).servers,
  ).toMatchObject([
    {
      values: {
        ...{ name: "files", transport: "stdio", command: "npx", args: "-y\nx", url: "" },
        secrets: [
          { name: "KEY", value: "abc" },
          { name: "COUNT", value: "3" },
          { name: "ON", value: "true" },
        ],
      },
      leftOut: ["cwd"],
    },
  ]);
  const web = { type: "http", url: "https://a.test/mcp", headers: { Authorization: "Bearer x" } };
  expect(one(web).servers[0]).toMatchObject({
    values: { transport: "http", url: web.url, secrets: [{ name: "Authorization", value: "Bearer x" }] },
    leftOut: [],
  });
  expect(importServers(JSON.stringify({ a: { command: "x" }, b: { url: "https://b.test" } })).servers).toHaveLength(2);
});

test.each([
  ["GitHub", "github"],
  ["2nd Brain (work)", "nd-brain-work"],
  ["a-very-long-name-of-a-server", "a-very-long-name-of"],
])("the name %s becomes %s", (name, short) => {
  expect(one({ command: "x" }, name).servers[0]?.values.name).toBe(short);
});

test.each([
  ["{", /not JSON/],
  ["[]", /not JSON/],
  ['{"mcpServers": {}}', /no servers/],
  ['{"a": 1}', /“a” is not a server/],
  ['{"a": {"type": "sse", "url": "https://a.test"}}', /old type sse/],
  ['{"a": {"type": "carrier-pigeon"}}', /type "carrier-pigeon" is unknown/],
  ['{"a": {"type": "stdio"}}', /command is missing/],
  ['{"a": {}}', /url is missing/],
  ['{"a": {"command": "x", "url": "https://a.test"}}', /a program has no URL/],
  ['{"a": {"type": "http", "url": "https://a.test", "env": {}}}', /no command and no env/],
  ['{"a": {"command": "x", "args": "y"}}', /args must be a list/],
  ['{"a": {"command": "x", "env": {"K": {}}}}', /env must be names/],
])("what cannot be read is refused with a sentence: %s", (text, problem) => {
  expect(importServers(text).problem).toMatch(problem);
});
