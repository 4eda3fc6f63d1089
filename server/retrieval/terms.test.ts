import fc from "fast-check";
import { expect, test } from "vitest";
import { countTerms, indexedText, queryTerms, termsOf } from "./terms";

test("words are lower-cased, cut to their stem, and common words and single characters are left out", () => {
  expect(termsOf("The Runs were KILLED, and a worker is killing x runs.")).toEqual([
    "run",
    "kill",
    "worker",
    "kill",
    "run",
  ]);
});

test("names with digits and underscores stay as they are", () => {
  expect(termsOf("max_tokens of http2 in v1_5")).toEqual(["max_tokens", "http2", "v1_5"]);
});

test("letters of every script count, however they are composed", () => {
  expect(termsOf("Größe жизнь café ＡＢＣ")).toEqual(["größe", "жизнь", "café", "abc"]);
  expect(termsOf("cafe\u0301")).toEqual(termsOf("café"));
});

test("text without spaces between words becomes pairs of neighbours, also beside Latin words", () => {
  expect(termsOf("知識ベース")).toEqual(["知識", "識ベ", "ベー", "ース"]);
  expect(termsOf("PostgreSQL入門書")).toEqual(["postgresql", "入門", "門書"]);
  expect(termsOf("나 한국어")).toEqual(["나", "한국", "국어"]);
});

test("what is found in a passage is found by a query of the same words", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
      const held = new Set(termsOf(text));
      expect(queryTerms(text).filter(({ term, weight }) => weight === 1 && !held.has(term))).toEqual([]);
    }),
  );
});

test("no term is too long for the index", () => {
  const [term] = termsOf("x".repeat(10_000));
  expect(term).toHaveLength(64);
});

test("frequencies add up to the length", () => {
  const { frequencies, length } = countTerms("red red green blue blue blue");
  expect(Object.fromEntries(frequencies)).toEqual({ red: 2, green: 1, blue: 3 });
  expect(length).toBe(6);
});

test("headings above a passage are found with it", () => {
  expect(indexedText({ heading: "Returns › Shoes", text: "Within 30 days." })).toBe("Returns › Shoes\nWithin 30 days.");
});

test("a query's synonyms count less than its own words, and a word said twice counts once", () => {
  const weights = Object.fromEntries(queryTerms("config config of the db").map(({ term, weight }) => [term, weight]));
  expect(weights).toEqual({ config: 1, db: 1, configur: 0.5, databas: 0.5 });
});

test("synonyms go by the word, not by its stem: an author is not an authorization", () => {
  expect(queryTerms("author").map(({ term }) => term)).toEqual(["author"]);
  expect(queryTerms("authorization").map(({ term }) => term)).toEqual(["author", "auth", "authent"]);
});
