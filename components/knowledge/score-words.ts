/** What each number says of how a passage was found. */
export const SCORE_MEANS = {
  vector: "How near the passage's embedding lies to that of the question: 1 is the same, 0 has nothing in common.",
  bm25: "How well the very words of the question are in the passage; rare words count more, and there is no upper end.",
  fused: "Both ranks, by their weights, added up to one order: only its sequence means something, not its size.",
} as const;
