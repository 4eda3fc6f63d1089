import { builtInEmbedder, normalised } from "./built-in-embedder";

export type WeightedPart = { text: string; weight: number };

/** One vector of the parts' vectors, such that two of them are as alike as their parts are, by weight. Of length 1 after `normalised`. */
export function weighted(vectors: readonly (readonly number[])[], weights: readonly number[]): number[] {
  const [first = []] = vectors;
  // A product of two such vectors has each part's product times the weight: each side brings its root.
  return first.map((_, dimension) =>
    vectors.reduce((sum, vector, part) => sum + Math.sqrt(weights[part] ?? 0) * (vector[dimension] ?? 0), 0),
  );
}

/** Of length 1, by the built-in embedder: nothing leaves, and it costs nothing. */
export async function vectorOfParts(parts: readonly WeightedPart[], signal: AbortSignal): Promise<number[]> {
  const vectors = await builtInEmbedder.embed(
    parts.map(({ text }) => text),
    { signal },
  );
  return normalised(
    weighted(
      vectors,
      parts.map(({ weight }) => weight),
    ),
  );
}

/** As pgvector reads it. */
export const vectorText = (vector: readonly number[]) => `[${vector.join(",")}]`;

/** The vector of what somebody searches for. */
export async function vectorOfSearch(search: string): Promise<string> {
  return vectorText(await vectorOfParts([{ text: search, weight: 1 }], new AbortController().signal));
}
