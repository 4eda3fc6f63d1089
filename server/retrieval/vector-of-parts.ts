import { normalised } from "./built-in-embedder";
import type { Embedder } from "./embedder";

export type WeightedPart = { text: string; weight: number };

/** One vector of the parts' vectors, such that two of them are as alike as their parts are, by weight. Of length 1 after `normalised`. */
export function weighted(vectors: readonly (readonly number[])[], weights: readonly number[]): number[] {
  const [first = []] = vectors;
  // A product of two such vectors has each part's product times the weight: each side brings its root.
  return first.map((_, dimension) =>
    vectors.reduce((sum, vector, part) => sum + Math.sqrt(weights[part] ?? 0) * (vector[dimension] ?? 0), 0),
  );
}

/** The texts that are embedded for these rows: each once, as an agent's options come again and again; none that is empty, which providers refuse. */
export function textsOf(rows: readonly (readonly WeightedPart[])[]): string[] {
  return [...new Set(rows.flat().flatMap(({ text }) => (text.trim() === "" ? [] : [text])))];
}

/** One vector of length 1 for each row of parts; of zeros for one without a word. Throws ModelError. */
export async function vectorsOfParts(
  embedder: Embedder,
  rows: readonly (readonly WeightedPart[])[],
  signal: AbortSignal,
): Promise<number[][]> {
  const texts = textsOf(rows);
  const made = await embedder.embed(texts, { signal });
  const vectors = new Map(texts.map((text, at) => [text, made[at] ?? []]));
  const nothing = new Array<number>(embedder.dims).fill(0);
  return rows.map((parts) =>
    normalised(
      weighted(
        parts.map(({ text }) => vectors.get(text) ?? nothing),
        parts.map(({ weight }) => weight),
      ),
    ),
  );
}

/** As pgvector reads it. */
export const vectorText = (vector: readonly number[]) => `[${vector.join(",")}]`;
