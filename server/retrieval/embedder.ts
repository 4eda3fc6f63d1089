/** Turns texts into vectors. `model` is "built-in" or "provider/model"; every vector has `dims` numbers and length 1. */
export type Embedder = {
  model: string;
  dims: number;
  /** In the order of `texts`. Throws ModelError. */
  embed(texts: readonly string[], options: { signal: AbortSignal }): Promise<number[][]>;
};

/** A piece of a document's text, as the chunker cuts it. */
export type ChunkDraft = {
  position: number;
  text: string;
  /** Headings above it, joined by " › ". */
  heading: string;
  page: number | null;
  /** Where it lies in the document's text, in characters. */
  startsAt: number;
};
