import fc from "fast-check";
import { expect, test } from "vitest";
import { atOnce } from "@/server/in-parts";
import { matchSequences as matchInParts } from "./match-sequences";

const matchSequences = (...lists: Parameters<typeof matchInParts>) => atOnce(matchInParts(...lists));

const match = (left: string, right: string) => matchSequences([...left], [...right]);
const common = (left: string, right: string) =>
  match(left, right)
    .map(([at]) => left[at])
    .join("");

/** The length every textbook's table gives. */
function longest(left: readonly string[], right: readonly string[]): number {
  let above = new Array<number>(right.length + 1).fill(0);
  for (const word of left) {
    const row = [0];
    right.forEach((other, at) => {
      row.push(word === other ? (above[at] ?? 0) + 1 : Math.max(above[at + 1] ?? 0, row[at] ?? 0));
    });
    above = row;
  }
  return above.at(-1) ?? 0;
}

test("nothing matches nothing, and a list matches itself", () => {
  expect(match("", "")).toEqual([]);
  expect(match("abc", "")).toEqual([]);
  expect(match("", "abc")).toEqual([]);
  expect(match("abc", "abc")).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
});

test("words that were added, left out or replaced are passed over", () => {
  expect(match("acd", "abcd")).toEqual([
    [0, 0],
    [1, 2],
    [2, 3],
  ]);
  expect(common("abcabba", "cbabac")).toHaveLength(4);
  expect(common("abc", "xyz")).toBe("");
});

test("what is matched is equal, in order, and the most that can be", () => {
  const words = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 });
  fc.assert(
    fc.property(words, words, (left, right) => {
      const matches = matchSequences(left, right);
      for (const [l, r] of matches) expect(left[l]).toBe(right[r]);
      for (const [at, [l, r]] of matches.entries()) {
        const before = matches[at - 1];
        if (before) expect(before[0] < l && before[1] < r).toBe(true);
      }
      expect(matches).toHaveLength(longest(left, right));
    }),
  );
});

test("of lists with little in common each piece is matched, in bounded time", () => {
  const left = Array.from({ length: 10_000 }, (_, at) => (at % 10 === 0 ? "both" : `left ${at}`));
  const right = Array.from({ length: 10_000 }, (_, at) => (at % 10 === 0 ? "both" : `right ${at}`));
  const begun = performance.now();
  const matches = matchSequences(left, right);
  expect(performance.now() - begun).toBeLessThan(2_000);
  for (const [l, r] of matches) expect(left[l]).toBe(right[r]);
  // The most would be 1,000.
  expect(matches.length).toBeGreaterThan(900);
});
