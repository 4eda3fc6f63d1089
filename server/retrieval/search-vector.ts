import { pool } from "@/server/db";
import { BYTES_PER_TOKEN } from "@/server/engine/estimate-tokens";
import { AppError } from "@/server/errors";
import { logger } from "@/server/logger";
import { ModelError } from "@/server/models/model";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { BUILT_IN_MODEL } from "./built-in-embedder";
import { type ComparedBy, comparedBy } from "./compared-by";
import { finderFor } from "./embedders";
import { LEAST_SIMILARITY } from "./ranked-pages";
import { vectorsOfParts, vectorText } from "./vector-of-parts";

/** Somebody waits, and can search by words instead. */
const ANSWERS_WITHIN_MS = 10_000;
/** Lists are read again with every change and page by page: the same words are sent and paid for once in this time. */
const KEPT_MS = 5 * 60_000;
/** So that a list that asks again by itself does not wait for the same silence again. */
const FAILURE_KEPT_MS = 5_000;
const MOST_KEPT = 200;

/** What somebody searches for, to be compared with the vectors of its model. */
export type SearchVector = ComparedBy & {
  /** As pgvector reads it. */
  text: string;
  /** Below it nothing is listed. Cosines differ from model to model: no least one fits all. */
  least: number;
};

const kept = new Map<string, { until: number; vector: Promise<string> }>();

/** The vector of a search, by the model the workspace finds by. Throws NOT_READY, in words that say what else to do, when that does not answer. */
export async function searchVector(workspaceId: WorkspaceId, search: string): Promise<SearchVector> {
  const by = await comparedBy(workspaceId);
  const least = by.model === BUILT_IN_MODEL ? LEAST_SIMILARITY : 0;
  return { ...by, least, text: await keptVector(workspaceId, by, search) };
}

function keptVector(workspaceId: WorkspaceId, by: ComparedBy, search: string): Promise<string> {
  const key = JSON.stringify([workspaceId, by.model, by.dims, search]);
  const known = kept.get(key);
  if (known && known.until > performance.now()) return known.vector;
  const entry = { until: performance.now() + KEPT_MS, vector: embed(workspaceId, by, search) };
  kept.delete(key);
  kept.set(key, entry);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  entry.vector.catch(() => {
    entry.until = performance.now() + FAILURE_KEPT_MS;
  });
  return entry.vector;
}

async function embed(workspaceId: WorkspaceId, by: ComparedBy, search: string): Promise<string> {
  try {
    const embedder = await finderFor(workspaceId, by);
    const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
    const [vector = []] = await vectorsOfParts(embedder, [[{ text: search, weight: 1 }]], signal);
    await countSent(workspaceId, by, [search]);
    return vectorText(vector);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    logger.warn({ err: error, embeddingModel: by.model }, "a search could not be embedded");
    const why = error.code === "cancelled" ? `“${by.model}” did not answer within 10 s.` : error.message;
    throw new AppError(
      "NOT_READY",
      `It cannot be searched by meaning now: ${asSentence(why)} A search by words goes on working.`,
      {
        cause: error,
      },
    );
  }
}

/** What an endpoint said may end in the middle. */
export const asSentence = (said: string) => (/[.!?]$/.test(said.trim()) ? said.trim() : `${said.trim()}.`);

/** An estimate: no embeddings endpoint is asked how it counts. */
export function tokensIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN), 0);
}

/** What was sent to the provider, for its bill. False: the workspace has chosen another model meanwhile. */
export async function countSent(workspaceId: WorkspaceId, by: ComparedBy, texts: readonly string[]): Promise<boolean> {
  if (by.model === BUILT_IN_MODEL) return true;
  const { rowCount } = await pool().query(
    `UPDATE finding_settings SET texts = texts + $4, tokens = tokens + $5
     WHERE workspace_id = $1 AND embedding_model = $2 AND dims = $3`,
    [workspaceId, by.model, by.dims, texts.length, tokensIn(texts)],
  );
  return rowCount === 1;
}
