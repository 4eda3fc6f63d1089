import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { db, pool } from "@/server/db";
import { type RetrievalSettings, retrievalSettings } from "@/server/knowledge/schema";
import { searchKeywords } from "@/server/retrieval/bm25";
import { BUILT_IN_DIMS, builtInEmbedder } from "@/server/retrieval/built-in-embedder";
import { searchBases } from "@/server/retrieval/search";
import { publishRevision, storeChunks } from "@/server/retrieval/store-chunks";
import { countTerms, queryTerms } from "@/server/retrieval/terms";
import { searchVectors } from "@/server/retrieval/vector";
import { DATABASE_KINDS } from "../support/databases";
import { aWorkspace } from "../support/factories";
import { aBase, aDocument, aLiveDocument, indexPassages, passagesOf } from "../support/knowledge";
import { useDatabase } from "../support/use-database";

/** Okapi BM25 as the textbook has it, over texts in memory. */
function textbookScores(texts: readonly string[], query: string): number[] {
  const counted = texts.map(countTerms);
  const average = counted.reduce((sum, { length }) => sum + length, 0) / texts.length;
  return counted.map(({ frequencies, length }) =>
    queryTerms(query).reduce((score, { term, weight }) => {
      const holders = counted.filter((other) => other.frequencies.has(term)).length;
      const idf = Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5));
      const frequency = frequencies.get(term) ?? 0;
      return score + (weight * idf * frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * length) / average));
    }, 0),
  );
}

const ALL = retrievalSettings.parse({
  similarityFloor: 0.2,
  keywordWeight: 0.6,
  vectorWeight: 0.4,
  perDocument: 50,
  topK: 50,
});
const signal = new AbortController().signal;

describe.each(DATABASE_KINDS)("searching (%s)", (kind) => {
  useDatabase(kind);

  async function aPlace(settings: Partial<RetrievalSettings> = {}) {
    const workspaceId = await aWorkspace(db());
    return { workspaceId, baseId: await aBase(db(), workspaceId, { settings: { ...ALL, ...settings } }) };
  }
  type Place = Awaited<ReturnType<typeof aPlace>>;
  const search = ({ workspaceId, baseId }: Place, query: string, settings?: RetrievalSettings) =>
    searchBases({ workspaceId, baseIds: [baseId], query, settings, signal });
  const textsOf = ({ hits }: { hits: { text: string; result: string }[] }) =>
    hits.filter(({ result }) => result === "sent").map(({ text }) => text);

  test("words are scored as the textbook says, over one base or over several as if they were one", async () => {
    const words = fc.constantFrom("cat", "dog", "bird", "fish", "db", "database", "the", "running", "runs");
    const text = fc.array(words, { minLength: 1, maxLength: 8 }).map((of) => of.join(" "));
    const workspaceId = await aWorkspace(db());
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 8 }), text, fc.nat(8), async (texts, query, cut) => {
        const bases = [await aBase(db(), workspaceId), await aBase(db(), workspaceId)];
        for (const [i, baseId] of bases.entries()) {
          const part = i === 0 ? texts.slice(0, cut) : texts.slice(cut);
          await aLiveDocument(db(), { workspaceId, baseId }, ...part);
        }
        const found = await searchKeywords(workspaceId, bases, queryTerms(query), 100);
        const scores = textbookScores(texts, query).filter((score) => score > 0);
        const expected = scores.sort((a, b) => b - a);
        expect(found).toHaveLength(expected.length);
        for (const [i, { score }] of found.entries()) expect(score).toBeCloseTo(expected[i] ?? 0, 8);
      }),
      { numRuns: 10 },
    );
  });

  test("cosines are exact, and the nearest comes first", async () => {
    const { workspaceId, baseId } = await aPlace();
    const texts = ["travel expenses", "travel by train", "the cafeteria menu"];
    await aLiveDocument(db(), { workspaceId, baseId }, ...texts);
    const [query = [], ...vectors] = await builtInEmbedder.embed(["expenses of travel", ...texts], { signal });
    const found = await searchVectors(workspaceId, [{ id: baseId, generation: 1 }], query, 10);
    const cosines = vectors.map((vector) => vector.reduce((sum, x, i) => sum + x * (query[i] ?? 0), 0));
    expect(found).toHaveLength(3);
    for (const [i, { score }] of found.entries()) {
      expect(score).toBeCloseTo(cosines.sort((a, b) => b - a)[i] ?? 0, 5);
    }
  });

  test("every score is told, and what was not sent says why", async () => {
    const place = await aPlace({ perDocument: 1, topK: 2, similarityFloor: 0.9 });
    const handbook = { ...place, name: "handbook.pdf" };
    await aLiveDocument(
      db(),
      handbook,
      "Travel is paid within ten days.",
      "Travel by night train or ferry is paid as well.",
    );
    await aLiveDocument(db(), place, "Travel needs a form.");
    await aLiveDocument(db(), place, "Travel is fun, but travel takes time and often a good deal of patience, too.");
    await aLiveDocument(db(), place, "Travelogues are in the library.");
    const { hits, found } = await search(place, "when is travel paid");
    expect(hits.map(({ result }) => result)).toEqual(["sent", "per-document", "sent", "over-top", "below-floor"]);
    expect(found).toBe(5);
    expect(hits[0]).toMatchObject({ documentName: "handbook.pdf", position: 0, keywordRank: 1, page: null });
    expect(hits[0]?.vector).toBeGreaterThan(0.3);
    expect(hits[4]).toMatchObject({ keyword: null, vectorRank: null, fused: 0 });
  });

  test("only live passages are found: not those being stored, not those of the upload before", async () => {
    const place = await aPlace();
    const documentId = await aDocument(db(), place.workspaceId, place.baseId);
    const next = { ...place, documentId, generation: 1, dims: BUILT_IN_DIMS };
    const chunks = passagesOf("Zebras live here.");
    const embeddings = await builtInEmbedder.embed(["Zebras live here."], { signal });
    await storeChunks(pool(), { ...next, revision: 1, chunks, embeddings });
    expect(await search(place, "zebras")).toMatchObject({ hits: [], found: 0 });
    await publishRevision(pool(), { ...next, revision: 1 });
    expect(textsOf(await search(place, "zebras"))).toEqual(["Zebras live here."]);

    await db().document.update({ where: { id: documentId }, data: { revision: 2 } });
    const newer = passagesOf("Zebras have moved.", "Giraffes came.");
    await storeChunks(pool(), { ...next, revision: 2, chunks: newer, embeddings: null });
    expect(textsOf(await search(place, "zebras giraffes"))).toEqual(["Zebras live here."]);
    await publishRevision(pool(), { ...next, revision: 2 });
    expect(textsOf(await search(place, "zebras giraffes")).sort()).toEqual(["Giraffes came.", "Zebras have moved."]);
  });

  test("a document that is failing or being stored does not change the scores of the others", async () => {
    const place = await aPlace();
    await aLiveDocument(db(), place, "red fox", "red hen");
    const before = await search(place, "red fox");
    const documentId = await aDocument(db(), place.workspaceId, place.baseId);
    const chunks = passagesOf("red red fox", "fox fox fox");
    const store = { ...place, documentId, revision: 1, generation: 1, dims: BUILT_IN_DIMS };
    await storeChunks(pool(), { ...store, chunks, embeddings: null });
    expect((await search(place, "red fox")).hits).toEqual(before.hits);
  });

  test("Chinese is found by the words in it, and misspelt words by their parts", async () => {
    const place = await aPlace();
    await aLiveDocument(db(), place, "本公司的退货政策为三十天。", "运费由客户承担。");
    await aLiveDocument(db(), place, "Reimbursement takes ten working days.", "The cafeteria opens at noon.");
    expect(textsOf(await search(place, "退货政策"))[0]).toBe("本公司的退货政策为三十天。");
    const { hits } = await search(place, "cafetria");
    expect(hits[0]).toMatchObject({ text: "The cafeteria opens at noon.", keyword: null, vectorRank: 1 });
  });

  test("several bases are searched as one, each with its own settings", async () => {
    const { workspaceId } = await aPlace();
    const words = await aBase(db(), workspaceId, { settings: { ...ALL, vectorWeight: 0, keywordWeight: 1 } });
    const likeness = await aBase(db(), workspaceId, { settings: { ...ALL, keywordWeight: 0, vectorWeight: 1 } });
    for (const baseId of [words, likeness]) await aLiveDocument(db(), { workspaceId, baseId }, "night trains");
    const { hits } = await searchBases({ workspaceId, baseIds: [words, likeness], query: "night train", signal });
    expect(hits.find(({ baseId }) => baseId === words)).toMatchObject({ keywordRank: 1, vector: null });
    expect(hits.find(({ baseId }) => baseId === likeness)).toMatchObject({ keyword: null, vectorRank: 1 });
  });

  test("when the query cannot be embedded, the words answer alone and it says why", async () => {
    const { workspaceId } = await aPlace();
    const baseId = await aBase(db(), workspaceId, { embeddingModel: "gone/embed", dims: 3 });
    const documentId = await aDocument(db(), workspaceId, baseId);
    await indexPassages({ workspaceId, baseId, documentId }, passagesOf("Night trains."), { isEmbedded: false });
    const result = await search({ workspaceId, baseId }, "night trains");
    expect(textsOf(result)).toEqual(["Night trains."]);
    expect(result.vectorProblem).toMatch(/^Only words were searched: .*gone\/embed/);
  });

  test("a base of another workspace does not exist, and a query without words finds nothing", async () => {
    const [ours, theirs] = [await aPlace(), await aPlace()];
    await aLiveDocument(db(), theirs, "A secret.");
    await expect(search({ ...ours, baseId: theirs.baseId }, "secret")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await searchKeywords(ours.workspaceId, [theirs.baseId], queryTerms("secret"), 10)).toEqual([]);
    expect(await search(theirs, "??? of the")).toMatchObject({ found: 1, hits: [{ result: "below-floor" }] });
  });
});
