import type { RetrievalSettings } from "@/server/knowledge/schema";

/** BM25's share of the two weights: only their ratio orders the passages. */
export function keywordShare({ keywordWeight, vectorWeight }: RetrievalSettings): number {
  const sum = keywordWeight + vectorWeight;
  return sum === 0 ? 0.5 : Math.round((keywordWeight / sum) * 100) / 100;
}

export function withKeywordShare(settings: RetrievalSettings, share: number): RetrievalSettings {
  const percent = Math.round(share * 100);
  return { ...settings, keywordWeight: percent / 100, vectorWeight: (100 - percent) / 100 };
}

export function sameSettings(a: RetrievalSettings, b: RetrievalSettings): boolean {
  return (Object.keys(a) as (keyof RetrievalSettings)[]).every((key) => a[key] === b[key]);
}
