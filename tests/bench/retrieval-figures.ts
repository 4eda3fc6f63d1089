/** Relevance of documents to a query, by document. */
export type Judgements = ReadonlyMap<string, number>;

/** Normalised discounted cumulative gain of the first `cut` documents. */
export function ndcg(ranked: readonly string[], judged: Judgements, cut: number): number {
  const gain = (grades: readonly number[]) =>
    grades.slice(0, cut).reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0);
  const ideal = gain([...judged.values()].sort((a, b) => b - a));
  return ideal > 0 ? gain(ranked.map((id) => judged.get(id) ?? 0)) / ideal : 0;
}

/** Share of the relevant documents that are among the first `cut`. */
export function recall(ranked: readonly string[], judged: Judgements, cut: number): number {
  const relevant = [...judged].filter(([, grade]) => grade > 0).map(([id]) => id);
  const found = new Set(ranked.slice(0, cut));
  return relevant.filter((id) => found.has(id)).length / Math.max(1, relevant.length);
}

export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
