import type pg from "pg";
import { pool } from "@/server/db";
import { modelDirectory } from "./model-directory";
import type { EmbeddingClient } from "./openai-embeddings";

let kept: { pool: pg.Pool; directory: ReturnType<typeof modelDirectory> } | undefined;

/**
 * The embedding model a base names as "provider/model". Ask for it before each batch of work: a new key counts 5 s later.
 * Throws ModelError unknown_model when it is gone or no embedding model, unauthorized when its key cannot be opened.
 */
export function embeddingClient(workspaceId: string, ref: string): Promise<EmbeddingClient> {
  const current = pool();
  if (kept?.pool !== current) kept = { pool: current, directory: modelDirectory({ pool: current }) };
  return kept.directory.embeddingModel(workspaceId, ref);
}
