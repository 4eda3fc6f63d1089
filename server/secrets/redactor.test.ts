import fc from "fast-check";
import { expect, test } from "vitest";
import { redactor } from "./redactor";

const SECRET = 'sk-"quoted"\\/+ü?&=0123456789';

test("a secret is blotted out of texts, arrays, objects and their keys, and the rest stays", () => {
  const scrub = redactor([SECRET]);
  const value = { note: `key ${SECRET}!`, list: [SECRET, 1, null], [SECRET]: { deep: `${SECRET}${SECRET}` } };
  expect(scrub(value)).toEqual({
    note: "key [hidden]!",
    list: ["[hidden]", 1, null],
    "[hidden]": { deep: "[hidden][hidden]" },
  });
  expect(value.note).toContain(SECRET);
});

test.each([
  ["JSON", JSON.stringify({ key: SECRET })],
  ["a URL", `https://x.test/?key=${encodeURIComponent(SECRET)}`],
  ["a form", new URLSearchParams({ key: SECRET }).toString()],
  ["base64", Buffer.from(SECRET).toString("base64")],
  ["base64 for URLs", Buffer.from(SECRET).toString("base64url")],
  ["hexadecimal", Buffer.from(SECRET).toString("hex")],
])("also as it is written in %s", (_what, text) => {
  expect(redactor([SECRET])(text)).toContain("[hidden]");
});

test("wherever it lies in text that was put into base64, too little of it is left to be of use", () => {
  const scrub = redactor([SECRET]);
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (before, after) => {
      const encoded = Buffer.from(`${before}${SECRET}${after}`).toString("base64");
      expect(Buffer.from(scrub(encoded).replaceAll("[hidden]", ""), "base64").toString()).not.toContain(
        SECRET.slice(2, 10),
      );
      expect(scrub(encoded)).toContain("[hidden]");
    }),
  );
});

test("of two secrets of which one holds the other, both go whole", () => {
  expect(redactor(["secret-key", "secret-key-of-mine"])("a secret-key-of-mine b secret-key")).toBe(
    "a [hidden] b [hidden]",
  );
});

test("a text that is nothing but the shortest of several secrets is blotted out", () => {
  expect(redactor(["a-long-secret-key", "p4ss"])(["p4ss", "p4s", { p4ss: "xp4ssx" }])).toEqual([
    ...["[hidden]", "p4s", { "[hidden]": "x[hidden]x" }],
  ]);
});

test("no secret, an empty one and one too short to protect anything change nothing", () => {
  for (const secrets of [[], [""], ["abc"]]) expect(redactor(secrets)("abc and so on")).toBe("abc and so on");
});

test("values that are neither texts nor plain are left as they are", () => {
  const at = new Date();
  expect(redactor([SECRET])({ at, none: undefined })).toEqual({ at, none: undefined });
});
