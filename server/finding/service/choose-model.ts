import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { ModelError } from "@/server/models/model";
import { BUILT_IN, comparedBy } from "@/server/retrieval/compared-by";
import { dimsOf } from "@/server/retrieval/embedders";
import type { Scope } from "@/server/workspaces/scope";
import { getFinding } from "../queries/get-finding";
import type { FindingModelInput, FindingView } from "../schema";

/** A person waits for the answer. */
const MODEL_ANSWERS_WITHIN_MS = 20_000;

/**
 * Sets by whose vectors runs and decisions are found. A worker makes them from here on, the newest first; what has none of this model yet is not
 * found by it. The same model again: what failed is tried at once. Throws INVALID when the model does not answer.
 */
export async function chooseModel({
  scope: { workspaceId },
  input: { embeddingModel },
}: {
  scope: Scope;
  input: FindingModelInput;
}): Promise<FindingView> {
  const dims = await askDims(workspaceId, embeddingModel);
  const now = await comparedBy(workspaceId);
  // What never was chosen stays so: the row would say that vectors are to be made anew.
  if (embeddingModel === BUILT_IN.model && now.model === BUILT_IN.model) return getFinding(workspaceId);
  await pool().query(
    `INSERT INTO finding_settings AS f (workspace_id, embedding_model, dims) VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id) DO UPDATE SET embedding_model = excluded.embedding_model, dims = excluded.dims, worker_id = NULL,
       swept_at = NULL, failures = 0, problem = NULL, refusal = NULL, next_try_at = now(),
       texts = CASE WHEN f.embedding_model = excluded.embedding_model THEN f.texts ELSE 0 END,
       tokens = CASE WHEN f.embedding_model = excluded.embedding_model THEN f.tokens ELSE 0 END,
       chosen_at = now()`,
    [workspaceId, embeddingModel, dims],
  );
  return getFinding(workspaceId);
}

async function askDims(workspaceId: string, embeddingModel: string): Promise<number> {
  try {
    return await dimsOf(workspaceId, embeddingModel, AbortSignal.timeout(MODEL_ANSWERS_WITHIN_MS));
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new AppError("INVALID", `The embedding model cannot be used: ${error.message}`, { cause: error });
  }
}
