import { describe, expect, it } from "vitest";
import { builtInEmbedder } from "@/server/retrieval/built-in-embedder";
import { vectorsOfParts } from "@/server/retrieval/vector-of-parts";
import { comparedParts, type DecisionWords } from "./compared-parts";

const OPTIONS = ["docs__search", "notes__write", "user__ask", "agent__collect"].map((label) => ({
  ...{
    key: label,
    kind: "tool" as const,
    label,
    description: `What ${label} does, at length, in the same words each time.`,
  },
}));

const vectorOf = async (words: DecisionWords) => {
  const [vector = []] = await vectorsOfParts(builtInEmbedder, [comparedParts(words)], new AbortController().signal);
  return vector;
};
const similarity = async (a: DecisionWords, b: DecisionWords) => {
  const [one, other] = [await vectorOf(a), await vectorOf(b)];
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
};

const REFUND = { task: "Refund the parcel that arrived damaged.", said: "The customer sent a photo of the box." };

describe("what decisions are compared by", () => {
  it("finds the same situation in a few other words, and not another one with the same options", async () => {
    const alike = { task: "Refund a parcel which arrived damaged.", said: "The customer has sent a photo of the box." };
    const other = { task: "Translate the price list into French.", said: "The file has forty lines of prices." };
    expect(await similarity({ ...REFUND, options: OPTIONS }, { ...alike, options: OPTIONS })).toBeGreaterThan(0.7);
    expect(await similarity({ ...REFUND, options: OPTIONS }, { ...other, options: OPTIONS })).toBeLessThan(0.5);
  });

  it("tells apart what was said before, where task and options are the same", async () => {
    const same = await similarity({ ...REFUND, options: OPTIONS }, { ...REFUND, options: OPTIONS });
    const later = await similarity(
      { ...REFUND, options: OPTIONS },
      { ...REFUND, said: "Payment service answered: account closed, transfer refused.", options: OPTIONS },
    );
    expect(same).toBeCloseTo(1, 3);
    expect(later).toBeLessThan(0.9);
  });

  it("does without what is missing", async () => {
    const nothing = { task: "", said: "", options: [] };
    expect(await vectorOf(nothing)).toEqual(new Array(480).fill(0));
    expect(await similarity({ ...REFUND, options: [] }, { ...REFUND, options: [] })).toBeCloseTo(1, 3);
  });

  it("looks at the beginning of long texts only", () => {
    const long = "x".repeat(100_000);
    const parts = comparedParts({ task: long, said: long, options: [] });
    expect(parts.map(({ text }) => text.length)).toEqual([2_000, 2_000, 0]);
  });
});
