import { expect, test } from "vitest";
import { BUILT_IN_DIMS, builtInEmbedder, normalised } from "./built-in-embedder";

const signal = new AbortController().signal;
const embed = async (...texts: string[]) => builtInEmbedder.embed(texts, { signal });
const cosine = (a: readonly number[] = [], b: readonly number[] = []) =>
  a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

test("vectors have one length and the same text always gets the same one", async () => {
  const [first, second] = await embed("Kill every process.", "Kill every process.");
  expect(first).toHaveLength(BUILT_IN_DIMS);
  expect(cosine(first, first)).toBeCloseTo(1, 4);
  expect(second).toEqual(first);
});

test("texts that share words or parts of words are nearer than strangers", async () => {
  const [query, same, part, stranger] = await embed(
    "reimbursement of travel",
    "Travel is reimbursed within ten days.",
    "Reimbursable travelling expenses",
    "The cafeteria opens at noon.",
  );
  expect(cosine(query, same)).toBeGreaterThan(0.3);
  expect(cosine(query, part)).toBeGreaterThan(0.2);
  expect(Math.abs(cosine(query, stranger))).toBeLessThan(0.15);
});

test("a text without words is at right angles to everything", async () => {
  const [nothing] = await embed("… — !");
  expect(nothing?.every((value) => value === 0)).toBe(true);
  expect(normalised([0, 0])).toEqual([0, 0]);
});

test("this very vector is kept by bases: changing it needs a new name for the model", async () => {
  const [vector = []] = await embed("passages");
  const largest = vector.map((value, at) => [at, value] as const).filter(([, value]) => Math.abs(value) > 0.5);
  expect(largest).toMatchInlineSnapshot(`
    [
      [
        29,
        -0.5547,
      ],
    ]
  `);
});
