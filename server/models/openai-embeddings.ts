import { ModelError } from "./model";
import { type EndpointOptions, openAiClient } from "./openai-client";
import { type Remedies, toModelError } from "./openai-errors";

export type EmbeddingClient = {
  /**
   * Vectors in the order of `texts`, as the endpoint gives them (not normalised), all of one length.
   * Throws ModelError only; nothing is tried again.
   */
  embed(texts: readonly string[], options: { signal: AbortSignal }): Promise<number[][]>;
};

export type OpenAiEmbeddingsOptions = EndpointOptions & { name: string; remedies?: Remedies };

/** Servers of one's own often refuse more texts in one request. */
const TEXTS_A_REQUEST = 32;
/** For one request. */
const TIMEOUT_MS = 60_000;

/** A client for an OpenAI-compatible embeddings endpoint. */
export function openAiCompatibleEmbeddings(options: OpenAiEmbeddingsOptions): EmbeddingClient {
  const { name, apiKey, remedies } = options;
  const client = openAiClient(options);
  const call = { model: name, secrets: apiKey ? [apiKey] : [], ...(remedies ? { remedies } : {}) };

  async function embedBatch(input: string[], caller: AbortSignal): Promise<number[][]> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const { data } = await client.embeddings.create(
        // Floats, because not every server knows the SDK's default of base64.
        { model: name, input, encoding_format: "float" },
        { signal: AbortSignal.any([caller, timeout]) },
      );
      return readVectors(data, input.length);
    } catch (error) {
      if (caller.aborted) throw new ModelError("cancelled", "The call was cancelled.");
      if (timeout.aborted) throw new ModelError("timeout", `The model did not finish within ${TIMEOUT_MS / 1000} s.`);
      throw toModelError(error, call);
    }
  }

  return {
    async embed(texts, { signal }) {
      const vectors: number[][] = [];
      for (let at = 0; at < texts.length; at += TEXTS_A_REQUEST) {
        vectors.push(...(await embedBatch(texts.slice(at, at + TEXTS_A_REQUEST), signal)));
      }
      const dims = vectors[0]?.length;
      if (vectors.some((vector) => vector.length !== dims)) throw malformed("vectors of different lengths");
      return vectors;
    },
  };
}

/** Placed by their `index`: nothing promises the order of the list. */
function readVectors(data: unknown, count: number): number[][] {
  if (!Array.isArray(data) || data.length !== count) throw malformed("not one vector for each text");
  const vectors: number[][] = new Array(count);
  for (const [position, item] of data.entries()) {
    const { embedding, index = position } = (item ?? {}) as { embedding?: unknown; index?: number };
    const isVector =
      Array.isArray(embedding) && embedding.length > 0 && embedding.every((number) => Number.isFinite(number));
    if (!isVector || !(index >= 0 && index < count) || vectors[index]) throw malformed("something else than vectors");
    vectors[index] = embedding;
  }
  return vectors;
}

const malformed = (what: string) => new ModelError("malformed_reply", `The embedding model's answer holds ${what}.`);
