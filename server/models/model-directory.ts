import type pg from "pg";
import { configuredModel, describeConfiguredModel } from "./configured-model";
import { type Model, type ModelDirectory, ModelError } from "./model";
import { openAiCompatible } from "./openai-compatible";
import { type EmbeddingClient, openAiCompatibleEmbeddings } from "./openai-embeddings";
import { REHEARSAL_REF, rehearsalModel } from "./rehearsal";
import { readStoredModel } from "./stored-model";

/** How long a model is used before it is looked up again: so soon does a new key, price or address count. */
const KEPT_MS = 5_000;
/** Above this the map is cleared of what is no longer kept. */
const ROOM = 500;

/**
 * Finds the models a workspace may use: the rehearsal model, the one the environment names, and those of the workspace's
 * providers with their keys, prices and allowed hosts. No query for a model used within the last 5 s.
 */
export function modelDirectory({ pool }: { pool: pg.Pool }): ModelDirectory & {
  /** The embedding model `ref` names. Throws ModelError unknown_model. */
  embeddingModel(workspaceId: string, ref: string): Promise<EmbeddingClient>;
} {
  const chats = new Kept<Model>();
  const embeddings = new Kept<EmbeddingClient>();
  const rehearsal = rehearsalModel();
  let configured: Model | undefined;

  return {
    async find(workspaceId, ref) {
      if (ref === REHEARSAL_REF) return rehearsal;
      if (ref === describeConfiguredModel().ref) {
        configured ??= configuredModel();
        return configured;
      }
      return chats.get(`${workspaceId}\n${ref}`, async () => {
        const { kind, endpoint, limitedBy, guard, ...model } = await readStoredModel(pool, workspaceId, ref);
        if (kind !== "chat") throw wrongKind(ref, "makes vectors and cannot chat");
        const timeoutMs = guard?.policy.timeoutMs;
        const client = openAiCompatible({ ...model, ...endpoint, ...(timeoutMs ? { timeoutMs } : {}) });
        return { ...client, ...(limitedBy ? { limitedBy } : {}), ...(guard ? { guard } : {}) };
      });
    },
    embeddingModel: (workspaceId, ref) =>
      embeddings.get(`${workspaceId}\n${ref}`, async () => {
        const { kind, endpoint, name } = await readStoredModel(pool, workspaceId, ref);
        if (kind !== "embedding") throw wrongKind(ref, "chats and makes no vectors");
        return openAiCompatibleEmbeddings({ name, ...endpoint });
      }),
  };
}

const wrongKind = (ref: string, does: string) =>
  new ModelError("unknown_model", `The model “${ref}” ${does}, as it is saved under Models. Choose another.`);

/** Keeps what was made for a while; a failure is kept for nobody. */
class Kept<T> {
  readonly #entries = new Map<string, { until: number; value: Promise<T> }>();

  get(key: string, make: () => Promise<T>): Promise<T> {
    const now = performance.now();
    const kept = this.#entries.get(key);
    if (kept && kept.until > now) return kept.value;
    if (this.#entries.size > ROOM) {
      for (const [old, { until }] of this.#entries) if (until <= now) this.#entries.delete(old);
    }
    const entry = { until: now + KEPT_MS, value: make() };
    this.#entries.set(key, entry);
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return entry.value;
  }
}
