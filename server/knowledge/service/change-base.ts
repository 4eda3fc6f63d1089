import { v7 as uuid } from "uuid";
import { pool } from "@/server/db";
import { AppError } from "@/server/errors";
import { ModelError } from "@/server/models/model";
import { dimsOf } from "@/server/retrieval/embedders";
import { beginReembedding } from "@/server/retrieval/re-embed";
import { lockBase } from "@/server/retrieval/store-chunks";
import { inTransaction, namesAreUnique } from "@/server/transaction";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { getBase } from "../queries/get-base";
import { defaultSettings } from "../rules";
import type { BaseDetail, ChangeEmbeddingInput, CreateBaseInput, UpdateBaseInput } from "../schema";

/** A person waits for the answer. */
const MODEL_ANSWERS_WITHIN_MS = 20_000;

/** Makes an empty base. Throws CONFLICT for a name in use, INVALID when its embedding model does not answer. */
export async function createBase({
  scope,
  input,
}: {
  scope: Scope;
  input: CreateBaseInput;
}): Promise<{ baseId: string }> {
  const { workspaceId, userId } = scope;
  const { name, description, embeddingModel } = input;
  const dims = await askDims(workspaceId, embeddingModel);
  const baseId = uuid();
  await uniquelyNamed(name, async () => {
    await pool().query(
      `INSERT INTO knowledge_bases (id, workspace_id, name, description, embedding_model, dims, settings, created_by_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [baseId, workspaceId, name, description, embeddingModel, dims, defaultSettings(embeddingModel), userId],
    );
    await tellChanged(workspaceId, baseId);
  });
  return { baseId };
}

/** Throws NOT_FOUND, CONFLICT for a name in use, INVALID when nothing could ever be found. */
export async function updateBase({ scope, input }: { scope: Scope; input: UpdateBaseInput }): Promise<BaseDetail> {
  const { baseId, name, description, settings } = input;
  if (settings.keywordWeight === 0 && settings.vectorWeight === 0) {
    throw new AppError("INVALID", "With both weights at 0 nothing is ever found. Raise one of them.");
  }
  await getBase(scope.workspaceId, baseId);
  await uniquelyNamed(name, async () => {
    await pool().query(
      `UPDATE knowledge_bases SET name = $3, description = $4, settings = $5, updated_at = now()
       WHERE workspace_id = $1 AND id = $2 AND conversation_id IS NULL`,
      [scope.workspaceId, baseId, name, description, settings],
    );
    await tellChanged(scope.workspaceId, baseId);
  });
  return getBase(scope.workspaceId, baseId);
}

/**
 * Begins to embed all passages with another model; the present one answers until all are done. Choosing the present model again
 * ends a change that is under way. Throws NOT_FOUND, and INVALID when the model does not answer.
 */
export async function changeEmbedding({
  scope: { workspaceId },
  input: { baseId, embeddingModel },
}: {
  scope: Scope;
  input: ChangeEmbeddingInput;
}): Promise<BaseDetail> {
  await getBase(workspaceId, baseId);
  const dims = await askDims(workspaceId, embeddingModel);
  await inTransaction(async (client) => {
    await lockBase(client, workspaceId, baseId);
    await beginReembedding(client, { workspaceId, baseId, embeddingModel, dims });
    await client.query("SELECT tell_changed($1, 'documents', $2), pg_notify('troupe_work', 'base:' || $3)", [
      ...[workspaceId, baseId, baseId],
    ]);
  });
  return getBase(workspaceId, baseId);
}

async function askDims(workspaceId: WorkspaceId, embeddingModel: string): Promise<number> {
  try {
    return await dimsOf(workspaceId, embeddingModel, AbortSignal.timeout(MODEL_ANSWERS_WITHIN_MS));
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new AppError("INVALID", `The embedding model cannot be used: ${error.message}`, { cause: error });
  }
}

const uniquelyNamed = (name: string, work: () => Promise<void>) =>
  namesAreUnique("knowledge_bases_name_key", `There is already a knowledge base called “${name}”.`, work);

async function tellChanged(workspaceId: WorkspaceId, baseId: string): Promise<void> {
  await pool().query("SELECT tell_changed($1, 'documents', $2)", [workspaceId, baseId]);
}
