import { createHash } from "node:crypto";

/** Vectors for texts: each word adds to one of the numbers, so texts that share words are near each other. */
export const SCRIPTED_DIMS = 64;

export function scriptedVector(text: string): number[] {
  const vector = new Array<number>(SCRIPTED_DIMS).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["nothing"]) {
    const at = createHash("sha256").update(word).digest().readUInt16BE(0) % SCRIPTED_DIMS;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}

/** The answer to POST /embeddings, last first: a reader must go by `index`. */
export function embeddingsBody(
  request: { model: string; input: string | string[] },
  vectors: readonly number[][] = [request.input].flat().map(scriptedVector),
): string {
  const texts = [request.input].flat();
  const data = texts.map((_, index) => ({ object: "embedding", index, embedding: vectors[index] }));
  const tokens = texts.join(" ").split(/\s+/).length;
  return JSON.stringify({
    object: "list",
    model: request.model,
    data: data.reverse(),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

/** The answer to GET /models, as an endpoint that tells context and prices. */
export const SCRIPTED_MODELS = {
  object: "list",
  data: [
    {
      id: "scripted",
      object: "model",
      context_length: 128_000,
      pricing: { prompt: "0.0000025", completion: "0.00001" },
    },
    { id: "scripted/embed-small", object: "model", pricing: { prompt: "0.00000002", completion: "0" } },
  ],
};
