import fc from "fast-check";
import { expect, test } from "vitest";
import { redactor, redactorInPieces } from "./redactor";

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

test("what holds no secret is given back as it is, what holds one is copied", () => {
  const [plain, telling] = [{ list: [{ text: "nothing" }] }, { list: [{ text: SECRET }, { text: "nothing" }] }];
  const scrub = redactor([SECRET]);
  expect(scrub(plain)).toBe(plain);
  expect(scrub(telling).list[1]).toBe(telling.list[1]);
});

/** Pieces as they are told on, where a text comes in pieces that end after these numbers of characters. */
function inPieces(secrets: readonly string[], text: string, lengths: readonly number[]): string[] {
  const told: string[] = [];
  const pieces = redactorInPieces(secrets)((piece) => told.push(piece));
  let from = 0;
  for (const length of lengths) {
    pieces.add(text.slice(from, from + length));
    from += length;
  }
  pieces.add(text.slice(from));
  pieces.end();
  return told;
}

test("of a text in pieces no piece holds a part of a secret, and together they are the text without it", () => {
  const secrets = [SECRET, "aab-0123-aab-4567", "aab-0123-aab-4567-and-more-8", "-4567-and-begins-late-9"];
  const words = fc.constantFrom(...secrets, "aab-", "aab-0123-aab-", "-4567", "sk-", " and ", "x", "[");
  const lengths = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 30 });
  fc.assert(
    fc.property(fc.array(words, { maxLength: 8 }), lengths, (said, ends) => {
      const text = said.join("");
      const told = inPieces(secrets, text, ends).join("");
      expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
      // Where no two lie over one another it is to the letter what the whole text becomes.
      if (!text.includes("-4567-and-begins-late-9")) expect(told).toBe(redactor(secrets)(text));
    }),
  );
});

test("pieces that begin no secret are told at once", () => {
  const told: string[] = [];
  const pieces = redactorInPieces(["key-0123456789"])((piece) => told.push(piece));
  for (const piece of ["No key", " here, ", "key-01", "23", "456789", "!"]) pieces.add(piece);
  expect(told).toEqual(["No ", "key here, ", "[hidden]", "!"]);
  pieces.end();
  expect(told.join("")).toBe("No key here, [hidden]!");
});
