import { expect, test } from "vitest";
import { callResult, flattenResult } from "./flatten-result";

const flat = (result: unknown) => flattenResult(callResult.parse(result));
const text = (words: string) => ({ type: "text", text: words });

test.each([
  ["texts, joined", { content: [text("one"), text("two")] }, "one\ntwo"],
  ["nothing", { content: [] }, ""],
  [
    "an image by its kind and size",
    { content: [{ type: "image", mimeType: "image/png", data: "A".repeat(16_000) }] },
    "[image/png, 12 kB]",
  ],
  ["a resource's text", { content: [{ type: "resource", resource: { uri: "a:b", text: "inside" } }] }, "inside"],
  [
    "a resource's bytes by their size",
    { content: [{ type: "resource", resource: { uri: "a:b", blob: "AAAA" } }] },
    "[resource, 3 bytes, a:b]",
  ],
  ["a link", { content: [{ type: "resource_link", name: "Notes", uri: "file:///n" }] }, "[link to Notes, file:///n]"],
  ["kinds of later versions by name", { content: [{ type: "hologram" }] }, "[hologram]"],
  ["what is no content at all", { content: [7] }, "[something that is not MCP content]"],
  ["structured content", { structuredContent: { a: 1 } }, { a: 1 }],
  ["the same as text and structured once", { content: [text('{"a": 1}')], structuredContent: { a: 1 } }, { a: 1 }],
  ["a text wrapped in one field as text", { content: [text("x")], structuredContent: { content: "x" } }, "x"],
  [
    "both where they differ",
    { content: [text("One.")], structuredContent: { a: 1 } },
    { text: "One.", structuredContent: { a: 1 } },
  ],
])("a result of %s", (_, result, value) => {
  expect(flat(result)).toEqual(value);
});

test("what is too long is cut, and says so, without half a character", () => {
  const cut = String(flat({ content: [text(`${"x".repeat(199_999)}😀${"y".repeat(10)}`)] }));
  expect(cut).toMatch(/^x{199999}�\n\[cut here: at least 11 more characters\./);
  expect(flat({ structuredContent: { list: Array(30_000).fill("abc") } })).toHaveProperty("list");
  expect(String(flat({ structuredContent: { list: Array(35_000).fill("abc") } }))).toMatch(
    /\[cut here: at least \d+ more/,
  );
  expect(String(flat({ content: Array(100_000).fill(text("abc")) }))).toMatch(
    /^(abc\n){50000}\n\[cut here: at least \d+ more characters\./,
  );
});

test("a long text is not lost beside a little data", () => {
  const both = { content: [text("word ".repeat(60_000))], structuredContent: { count: 3 } };
  expect(String(flat(both))).toMatch(/^\{"text":"(word ){30000}/);
});

test("no part of a secret is left where the text is cut", () => {
  const secret = "s3cret-".repeat(200);
  const blot = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(secret, "[hidden]")) as T;
  for (const length of [199_990, 199_000, 218_700, 219_990]) {
    const words = `${"x".repeat(length)}${secret}${"y".repeat(50_000)}`;
    for (const result of [{ content: [text(words)] }, { structuredContent: { words } }])
      expect(String(flattenResult(callResult.parse(result), blot))).not.toContain("s3cret");
  }
  const many = secret.repeat(200);
  expect(String(flattenResult(callResult.parse({ content: [text(many)] }), blot))).not.toContain("s3cret");
});
