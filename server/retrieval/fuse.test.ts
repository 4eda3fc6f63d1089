import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { retrievalSettings } from "@/server/knowledge/schema";
import type { Found } from "./bm25";
import { fuse } from "./fuse";

const EVEN = { keywordWeight: 0.6, vectorWeight: 0.4, similarityFloor: 0, perDocument: 50, topK: 50 };
const under = (settings: Partial<typeof EVEN> = {}) =>
  new Map([["base", retrievalSettings.parse({ ...EVEN, ...settings })]]);
const hit = (chunkId: string, score = 1, documentId = `document of ${chunkId}`, baseId = "base"): Found => ({
  ...{ chunkId, baseId, documentId, score },
});
const ids = (fused: { chunkId: string }[]) => fused.map(({ chunkId }) => chunkId);

describe("ranks are fused", () => {
  test("by weight over 60 + rank, ranks from 1", () => {
    const fused = fuse({ keywords: [hit("a", 9), hit("b", 8)], vectors: [[hit("b", 0.9), hit("c", 0.8)]] }, under());
    expect(fused.map(({ chunkId, fused: score }) => [chunkId, score])).toEqual([
      ["b", 0.6 / 62 + 0.4 / 61],
      ["a", 0.6 / 61],
      ["c", 0.4 / 62],
    ]);
    expect(fused[0]).toMatchObject({ keyword: 8, keywordRank: 2, vector: 0.9, vectorRank: 1, result: "sent" });
    expect(fused[1]).toMatchObject({ vector: null, vectorRank: null });
  });

  test("and ties always come out in the same order", () => {
    const both = { keywords: [hit("x")], vectors: [[hit("y")]] };
    expect(ids(fuse(both, under({ keywordWeight: 0.5, vectorWeight: 0.5 })))).toEqual(["x", "y"]);
  });

  test("each list of vectors with ranks of its own", () => {
    const fused = fuse({ keywords: [], vectors: [[hit("a")], [hit("b")]] }, under());
    expect(fused.map(({ vectorRank }) => vectorRank)).toEqual([1, 1]);
  });

  test("under the settings of each hit's own base", () => {
    const settings = new Map([
      ["words", retrievalSettings.parse({ ...EVEN, keywordWeight: 1, vectorWeight: 0 })],
      ["likeness", retrievalSettings.parse({ ...EVEN, keywordWeight: 0, vectorWeight: 1 })],
    ]);
    const lists = {
      keywords: [hit("a", 1, "d", "words"), hit("b", 1, "d", "likeness")],
      vectors: [[hit("a", 1, "d", "words"), hit("b", 1, "d", "likeness")]],
    };
    expect(fuse(lists, settings)).toMatchObject([
      { chunkId: "a", vectorRank: null, keywordRank: 1 },
      { chunkId: "b", vectorRank: 2, keywordRank: null },
    ]);
  });
});

describe("what is not sent says why", () => {
  test("the floor looks at the cosine only, and words can carry a passage over it", () => {
    const lists = { keywords: [hit("a")], vectors: [[hit("b", 0.5), hit("a", 0.2), hit("c", 0.1)]] };
    expect(fuse(lists, under({ similarityFloor: 0.3 }))).toMatchObject([
      { chunkId: "a", result: "sent", vector: 0.2, vectorRank: null, fused: 0.6 / 61 },
      { chunkId: "b", result: "sent" },
      { chunkId: "c", result: "below-floor", vector: 0.1, fused: 0 },
    ]);
  });

  test("a text at right angles to the query is not found, whatever the floor", () => {
    expect(fuse({ keywords: [], vectors: [[hit("a", 0)]] }, under())).toMatchObject([{ result: "below-floor" }]);
  });

  test("at most so many passages of one document, and the next document moves up", () => {
    const keywords = [hit("a1", 9, "a"), hit("a2", 8, "a"), hit("a3", 7, "a"), hit("b1", 6, "b"), hit("c1", 5, "c")];
    const results = fuse({ keywords, vectors: [] }, under({ perDocument: 2, topK: 3 }));
    expect(results.map(({ result }) => result)).toEqual(["sent", "sent", "per-document", "sent", "over-top"]);
  });

  test("never more than the top, never more of a document than allowed", () => {
    const found = fc.array(fc.nat(40), { maxLength: 60 });
    fc.assert(
      fc.property(found, found, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 4 }), (a, b, topK, most) => {
        // A passage is of one document and stands once in a list.
        const list = (of: number[]) => [...new Set(of)].map((id) => hit(`${id}`, 0.5, `${id % 6}`));
        const lists = { keywords: list(a), vectors: [list(b)] };
        const fused = fuse(lists, under({ topK, perDocument: most }));
        const sent = fused.filter(({ result }) => result === "sent");
        const ofDocument = (id: string) => sent.filter(({ documentId }) => documentId === id).length;
        for (const { documentId } of sent) expect(ofDocument(documentId)).toBeLessThanOrEqual(most);
        expect(new Set(ids(fused)).size).toBe(fused.length);
        expect(fused.map(({ fused: score }) => score)).toEqual(
          fused.map(({ fused: score }) => score).sort((x, y) => y - x),
        );
      }),
    );
  });
});
