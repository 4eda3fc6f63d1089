import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { closeDb, db, pool } from "@/server/db";
import { env } from "@/server/env";
import { type RetrievalSettings, retrievalSettings } from "@/server/knowledge/schema";
import { type Found, searchKeywords } from "@/server/retrieval/bm25";
import { builtInEmbedder } from "@/server/retrieval/built-in-embedder";
import { chunkText } from "@/server/retrieval/chunk-text";
import { type Fused, fuse } from "@/server/retrieval/fuse";
import { searchBases } from "@/server/retrieval/search";
import { queryTerms } from "@/server/retrieval/terms";
import { searchVectors } from "@/server/retrieval/vector";
import setup, { DATABASE_KINDS, type DatabaseKind, freshDatabase } from "@/tests/support/databases";
import { aWorkspace } from "@/tests/support/factories";
import { aBase, aDocument, indexPassages, passagesOf } from "@/tests/support/knowledge";
import { type Collection, readCollection } from "./retrieval-collection";
import { mean, median, ndcg, recall } from "./retrieval-figures";

/**
 * npm run bench:retrieval [-- --collections DIR] [--collection scifact,cranfield] [--database embedded|postgres]
 *   [--cut passages|whole] [--json]
 * Indexes judged collections the way uploads are and measures what is found: nDCG@10 and recall@100 of documents (a document
 * stands where its best passage does), the time of a search and of indexing. Ends with 1 when BM25 on scifact is below 0.67.
 */
const { values } = parseArgs({
  options: {
    collections: { type: "string" },
    collection: { type: "string", default: "scifact,cranfield" },
    database: { type: "string" },
    cut: { type: "string", default: "passages" },
    json: { type: "boolean", default: false },
  },
});
const LEAST_KEYWORD_NDCG: Record<string, number> = { scifact: 0.67 };
const WRITERS = 4;
/** Passages to look at, so that 100 documents are among them. */
const DEEP = 400;

const folder =
  values.collections ??
  process.env.COLLECTIONS_DIR ??
  fileURLToPath(new URL("../../../shared/collections", import.meta.url));
const kind: DatabaseKind = values.database === "embedded" ? "embedded" : (DATABASE_KINDS.at(-1) ?? "embedded");

type Place = { workspaceId: string; baseId: string; names: ReadonlyMap<string, string>; indexS: number };

async function index({ documents }: Collection): Promise<Place> {
  const workspaceId = await aWorkspace(db());
  const baseId = await aBase(db(), workspaceId);
  const names = new Map<string, string>();
  const waiting = documents.values();
  const start = performance.now();
  const write = async () => {
    for (const { id, text } of waiting) {
      const documentId = await aDocument(db(), workspaceId, baseId, `${id}.txt`);
      names.set(documentId, id);
      const cut = [...chunkText({ text, isMarkdown: false, pageStarts: null })];
      const chunks = values.cut === "whole" ? passagesOf(text) : cut;
      await indexPassages({ workspaceId, baseId, documentId }, chunks);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return { workspaceId, baseId, names, indexS: (performance.now() - start) / 1000 };
}

/** The documents of passages, each where its best passage stands. */
function documentsOf(found: readonly Pick<Found, "documentId">[], { names }: Place): string[] {
  return [...new Set(found.map(({ documentId }) => names.get(documentId) ?? ""))];
}

async function findBothWays({ workspaceId, baseId }: Place, query: string) {
  const [vector = []] = await builtInEmbedder.embed([query], { signal: AbortSignal.timeout(60_000) });
  const keywords = await searchKeywords(workspaceId, [baseId], queryTerms(query), DEEP);
  const vectors = await searchVectors(workspaceId, [{ id: baseId, generation: 1 }], vector, DEEP);
  return { keywords, vectors };
}

function mixed({ baseId }: Place, found: { keywords: Found[]; vectors: Found[] }, weights: Pair): Fused[] {
  const open = { ...retrievalSettings.parse({}), ...weights, perDocument: DEEP, topK: DEEP };
  const fused = fuse({ keywords: found.keywords, vectors: [found.vectors] }, new Map([[baseId, open]]));
  return fused.filter(({ result }) => result === "sent");
}
type Pair = Pick<RetrievalSettings, "keywordWeight" | "vectorWeight">;

async function measure(collection: Collection): Promise<{ keywordNdcg: number }> {
  const { name, queries } = collection;
  const place = await index(collection);
  const print = (figure: string, value: number, unit = "") => {
    const rounded = Number(value.toFixed(4));
    const line = { name: `${name}.${figure}`, value: rounded, unit };
    console.log(values.json ? JSON.stringify(line) : `${line.name.padEnd(36)} ${rounded} ${unit}`);
  };
  const { rows } = await pool().query<{ chunks: number }>(
    "SELECT count(*)::int AS chunks FROM chunks WHERE base_id = $1",
    [place.baseId],
  );
  print("documents", collection.documents.length);
  print("passages", rows[0]?.chunks ?? 0);
  print("index_s", place.indexS, "s");

  const ranked: Record<string, { ndcg: number[]; recall: number[] }> = {};
  const note = (what: string, ids: readonly string[], judged: Collection["queries"][number]["judged"]) => {
    ranked[what] ??= { ndcg: [], recall: [] };
    ranked[what].ndcg.push(ndcg(ids, judged, 10));
    ranked[what].recall.push(recall(ids, judged, 100));
  };
  const { keywordWeight, vectorWeight } = retrievalSettings.parse({});
  const mixes: Record<string, Pair> = {
    hybrid: { keywordWeight, vectorWeight },
    hybrid_60_40: { keywordWeight: 0.6, vectorWeight: 0.4 },
  };
  for (const { text, judged } of queries) {
    const found = await findBothWays(place, text);
    note("keyword", documentsOf(found.keywords, place), judged);
    note("vector", documentsOf(found.vectors, place), judged);
    for (const [what, weights] of Object.entries(mixes)) {
      note(what, documentsOf(mixed(place, found, weights), place), judged);
    }
  }
  for (const [what, { ndcg: gains, recall: shares }] of Object.entries(ranked)) {
    print(`${what}_ndcg10`, mean(gains));
    print(`${what}_recall100`, mean(shares));
  }

  const took: { wholeMs: number[]; keywordMs: number[]; vectorMs: number[] } = {
    wholeMs: [],
    keywordMs: [],
    vectorMs: [],
  };
  for (const { text } of queries) {
    const start = performance.now();
    const signal = AbortSignal.timeout(60_000);
    const { keywordMs, vectorMs } = await searchBases({ ...place, baseIds: [place.baseId], query: text, signal });
    took.wholeMs.push(performance.now() - start);
    took.keywordMs.push(keywordMs);
    took.vectorMs.push(vectorMs);
  }
  print("search_p50_ms", median(took.wholeMs), "ms");
  print("keyword_p50_ms", median(took.keywordMs), "ms");
  print("vector_p50_ms", median(took.vectorMs), "ms");
  return { keywordNdcg: mean(ranked.keyword?.ndcg ?? []) };
}

const cleanUp = setup();
const tooLow: string[] = [];
for (const name of values.collection.split(",")) {
  const collection = readCollection(folder, name);
  if (!collection) {
    console.error(`${name}: there is no such collection in ${folder}. Name the folder with --collections.`);
    continue;
  }
  const database = await freshDatabase(kind);
  process.env.DATABASE_URL = database.url;
  env().DATABASE_URL = database.url;
  if (!values.json) console.log(`${name} on ${kind}, cut into ${values.cut}`);
  try {
    const { keywordNdcg } = await measure(collection);
    const least = LEAST_KEYWORD_NDCG[name] ?? 0;
    if (keywordNdcg < least)
      tooLow.push(`${name}: BM25 nDCG@10 is ${keywordNdcg.toFixed(4)}, at least ${least} was wanted`);
  } finally {
    await closeDb();
    await database.stop();
  }
}
await cleanUp();
for (const sentence of tooLow) console.error(sentence);
process.exit(tooLow.length > 0 ? 1 : 0);
