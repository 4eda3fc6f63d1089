import { ModelError, type ModelErrorCode } from "@/server/models/model";
import type { Embedder } from "./embedder";
import { vectorsOfParts, vectorText, type WeightedPart } from "./vector-of-parts";

/** A row's vector; null: the model would not take its texts. */
export type MadeVector = { id: string; vector: number[] | null };

/** As pgvector reads it. */
export const vectorOrNull = ({ vector }: MadeVector) => (vector === null ? null : vectorText(vector));

/** What a model says of a text; whatever else it says is of the model, its key or the moment. */
const OF_THE_TEXT: readonly ModelErrorCode[] = ["bad_request", "context_too_long", "content_filtered"];

/**
 * The vectors of rows. When the model refuses all of them together, each is tried alone, so that one text it will not take does not keep the
 * others back. Throws ModelError: also when it refuses every one, as then it is not the texts.
 */
export async function makeVectors(
  embedder: Embedder,
  rows: ReadonlyMap<string, readonly WeightedPart[]>,
  signal: AbortSignal,
): Promise<{ made: MadeVector[]; refusal: string | null }> {
  const ids = [...rows.keys()];
  try {
    const vectors = await vectorsOfParts(embedder, [...rows.values()], signal);
    return { made: ids.map((id, at) => ({ id, vector: vectors[at] ?? null })), refusal: null };
  } catch (error) {
    if (!isOfTheText(error) || rows.size < 2) throw error;
  }
  const made: MadeVector[] = [];
  let refusal: ModelError | null = null;
  for (const [id, parts] of rows) {
    try {
      const [vector = null] = await vectorsOfParts(embedder, [parts], signal);
      made.push({ id, vector });
    } catch (error) {
      if (!isOfTheText(error)) throw error;
      refusal = error;
      made.push({ id, vector: null });
    }
  }
  if (refusal && made.every(({ vector }) => vector === null)) throw refusal;
  return { made, refusal: refusal?.message ?? null };
}

function isOfTheText(error: unknown): error is ModelError {
  return error instanceof ModelError && OF_THE_TEXT.includes(error.code);
}
