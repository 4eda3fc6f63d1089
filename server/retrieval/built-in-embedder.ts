import type { Embedder } from "./embedder";
import { countTerms } from "./terms";

/**
 * Vectors without a model: each word stem and each run of 4 or 5 letters of it adds to one of the dimensions, chosen and signed
 * by its hash. Texts that share words or parts of words come out near each other. It knows no meanings: "car" and "vehicle" are
 * strangers to it. Deterministic and offline; changing anything here needs a new name for the model.
 */

/** As many as fit beside the row's other columns without the database moving the vector out of the row. */
export const BUILT_IN_DIMS = 480;
export const BUILT_IN_MODEL = "built-in";

const PART_LENGTHS = [4, 5];
/** Parts of words are a hint, whole words the evidence. */
const PART_WEIGHT = 0.5;

export const builtInEmbedder: Embedder = {
  model: BUILT_IN_MODEL,
  dims: BUILT_IN_DIMS,
  async embed(texts, { signal }) {
    signal.throwIfAborted();
    return texts.map(embedText);
  },
};

function embedText(text: string): number[] {
  const vector = new Array<number>(BUILT_IN_DIMS).fill(0);
  const add = (feature: string, weight: number) => {
    const hash = hashOf(feature);
    const dimension = hash % BUILT_IN_DIMS;
    vector[dimension] = (vector[dimension] ?? 0) + (hash >>> 31 === 1 ? weight : -weight);
  };
  const { frequencies } = countTerms(text);
  const parts = new Map<string, number>();
  for (const [term, frequency] of frequencies) {
    add(`word ${term}`, dampened(frequency));
    for (const part of partsOf(term)) parts.set(part, (parts.get(part) ?? 0) + frequency);
  }
  for (const [part, frequency] of parts) add(`part ${part}`, PART_WEIGHT * dampened(frequency));
  return normalised(vector);
}

/** A word said ten times says little more than one said three times. */
const dampened = (frequency: number) => 1 + Math.log(frequency);

/** The edges are marked, so that beginnings and endings of words count as such. */
function partsOf(term: string): string[] {
  const word = `^${term}$`;
  return PART_LENGTHS.flatMap((length) =>
    Array.from({ length: Math.max(0, word.length - length + 1) }, (_, at) => word.slice(at, at + length)),
  );
}

/** Length 1, in six digits: single precision holds no more. A vector of zeros stays one. */
export function normalised(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => Number((value / length).toFixed(6))) : [...vector];
}

/** FNV-1a with a final mix, so that its low and high bits are independent. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
