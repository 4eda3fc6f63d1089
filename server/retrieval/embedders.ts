import { embeddingClient } from "@/server/models/embedding-client";
import { ModelError } from "@/server/models/model";
import { BUILT_IN_DIMS, BUILT_IN_MODEL, builtInEmbedder, normalised } from "./built-in-embedder";
import type { ComparedBy } from "./compared-by";
import type { Embedder } from "./embedder";

/**
 * The embedder of a base: "built-in" or "provider/model". `dims` is what the base holds; a model that now answers with another
 * number of dimensions is refused in words that say what to do. Vectors come out with length 1.
 * Throws ModelError, also while embedding.
 */
export function embedderFor(workspaceId: string, model: string, dims: number): Promise<Embedder> {
  return checkedEmbedder(workspaceId, { model, dims }, BASE_REMEDY);
}

/** The same, of what a workspace finds runs and decisions by. */
export function finderFor(workspaceId: string, by: ComparedBy): Promise<Embedder> {
  return checkedEmbedder(workspaceId, by, FINDING_REMEDY);
}

const BASE_REMEDY = "this base holds %: change the embedding model under Settings to rebuild.";
const FINDING_REMEDY = "it gave % when it was chosen: choose Built-in and then this model again under Models.";

async function checkedEmbedder(workspaceId: string, { model, dims }: ComparedBy, remedy: string): Promise<Embedder> {
  if (model === BUILT_IN_MODEL) {
    assertDims(model, BUILT_IN_DIMS, dims, remedy);
    return builtInEmbedder;
  }
  const client = await embeddingClient(workspaceId, model);
  return {
    model,
    dims,
    async embed(texts, options) {
      if (texts.length === 0) return [];
      const vectors = await client.embed(texts, options);
      assertDims(model, vectors[0]?.length ?? 0, dims, remedy);
      return vectors.map(normalised);
    },
  };
}

/** Asks the model for one vector, to learn how many numbers its vectors have. Throws ModelError. */
export async function dimsOf(workspaceId: string, model: string, signal: AbortSignal): Promise<number> {
  if (model === BUILT_IN_MODEL) return BUILT_IN_DIMS;
  const [vector] = await (await embeddingClient(workspaceId, model)).embed(["How long are your vectors?"], { signal });
  const dims = vector?.length ?? 0;
  if (dims > MOST_DIMS) {
    throw new ModelError(
      "bad_request",
      `“${model}” gives ${count(dims)} numbers; at most ${count(MOST_DIMS)} can be stored.`,
    );
  }
  return dims;
}

/** What a column of pgvector holds. */
const MOST_DIMS = 16_000;

function assertDims(model: string, given: number, held: number, remedy: string): void {
  if (given === held) return;
  throw new ModelError(
    "unknown_model",
    `“${model}” now gives ${count(given)} numbers, ${remedy.replace("%", count(held))}`,
  );
}

const count = (value: number) => value.toLocaleString("en-US");
