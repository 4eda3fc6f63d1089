import type { RetrievalSettings } from "@/server/knowledge/schema";
import type { Found } from "./bm25";

export type Fused = {
  chunkId: string;
  baseId: string;
  documentId: string;
  vector: number | null;
  vectorRank: number | null;
  keyword: number | null;
  keywordRank: number | null;
  fused: number;
  /** sent, or the rule that dropped it. */
  result: "sent" | "below-floor" | "per-document" | "over-top";
};

/** Evens out the first ranks: the second is worth nearly as much as the first. */
const RANK_OFFSET = 60;

/**
 * Weighted reciprocal rank fusion (RAG-HYB-02): Σ weight / (60 + rank), rank from 1, each chunk under the settings of its base.
 * `vectors` are lists that cannot be compared with each other, one for each embedding model; ranks are counted in each apart.
 * The floor looks at the cosine only. Best first; ties go to the better keyword rank, then the better vector rank, then the id.
 */
export function fuse(
  found: { keywords: readonly Found[]; vectors: readonly (readonly Found[])[] },
  settingsOf: ReadonlyMap<string, RetrievalSettings>,
): Fused[] {
  const fused = new Map<string, Fused>();
  const entryOf = ({ chunkId, baseId, documentId }: Found): Fused => {
    const known = fused.get(chunkId);
    if (known) return known;
    const none = { vector: null, vectorRank: null, keyword: null, keywordRank: null, fused: 0 };
    const entry: Fused = { chunkId, baseId, documentId, ...none, result: "sent" };
    fused.set(chunkId, entry);
    return entry;
  };
  for (const [i, hit] of found.keywords.entries()) {
    const weight = settingsOf.get(hit.baseId)?.keywordWeight ?? 0;
    if (weight === 0) continue;
    const entry = entryOf(hit);
    entry.keyword = hit.score;
    entry.keywordRank = i + 1;
    entry.fused += weight / (RANK_OFFSET + i + 1);
  }
  for (const hits of found.vectors) {
    for (const [i, hit] of hits.entries()) {
      const { vectorWeight = 0, similarityFloor = 0 } = settingsOf.get(hit.baseId) ?? {};
      if (vectorWeight === 0) continue;
      const entry = entryOf(hit);
      entry.vector = hit.score;
      // Found by the words as well, it stays, but the vector adds nothing to it.
      if (hit.score <= 0 || hit.score < similarityFloor) continue;
      entry.vectorRank = i + 1;
      entry.fused += vectorWeight / (RANK_OFFSET + i + 1);
    }
  }
  return choose([...fused.values()].sort(byScore), settingsOf);
}

const place = (rank: number | null) => rank ?? Number.POSITIVE_INFINITY;

function byScore(a: Fused, b: Fused): number {
  if (a.fused !== b.fused) return b.fused - a.fused;
  if (a.keywordRank !== b.keywordRank) return place(a.keywordRank) - place(b.keywordRank);
  if (a.vectorRank !== b.vectorRank) return place(a.vectorRank) - place(b.vectorRank);
  if (a.vector !== b.vector) return (b.vector ?? 0) - (a.vector ?? 0);
  return a.chunkId < b.chunkId ? -1 : 1;
}

/** At most `perDocument` passages of a document and `topK` in all; of several bases, the largest top counts. */
function choose(ranked: readonly Fused[], settingsOf: ReadonlyMap<string, RetrievalSettings>): Fused[] {
  const top = Math.max(0, ...[...settingsOf.values()].map(({ topK }) => topK));
  const taken = new Map<string, number>();
  let sent = 0;
  return ranked.map((entry) => {
    const ofDocument = taken.get(entry.documentId) ?? 0;
    if (entry.fused === 0) return { ...entry, result: "below-floor" };
    if (sent >= top) return { ...entry, result: "over-top" };
    if (ofDocument >= (settingsOf.get(entry.baseId)?.perDocument ?? 1)) return { ...entry, result: "per-document" };
    taken.set(entry.documentId, ofDocument + 1);
    sent += 1;
    return { ...entry, result: "sent" };
  });
}
