import { pool } from "@/server/db";
import { listModelChoices } from "@/server/providers/queries";
import { BUILT_IN } from "@/server/retrieval/compared-by";
import { toInstant } from "@/server/runs/queries/instant";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { embeddingCost } from "../rules";
import type { FindingView } from "../schema";
import { countPrepared } from "./count-prepared";

type Row = {
  embeddingModel: string;
  dims: number;
  problem: string | null;
  refusal: string | null;
  nextTryAt: Date;
  texts: number;
  tokens: number;
};

/** How the workspace finds runs and decisions, and how far that is prepared. */
export async function getFinding(workspaceId: WorkspaceId): Promise<FindingView> {
  const { rows } = await pool().query<Row>(
    `SELECT embedding_model AS "embeddingModel", dims, problem, refusal, next_try_at AS "nextTryAt", texts::float8 AS texts, tokens::float8 AS tokens
     FROM finding_settings WHERE workspace_id = $1`,
    [workspaceId],
  );
  const [row] = rows;
  if (!row) return { ...NEVER_CHOSEN };
  const { embeddingModel, dims, problem, refusal, nextTryAt, texts, tokens } = row;
  const byMeaning = embeddingModel !== BUILT_IN.model;
  return {
    ...{ embeddingModel, byMeaning, problem, refusal },
    prepared: await countPrepared(workspaceId, { model: embeddingModel, dims }),
    nextTryAt: problem === null ? null : toInstant(nextTryAt),
    sent: { texts, tokens, costNanoUsd: byMeaning ? await costAt(workspaceId, embeddingModel, tokens) : 0 },
  };
}

const NEVER_CHOSEN: FindingView = {
  ...{ embeddingModel: BUILT_IN.model, byMeaning: false, prepared: null },
  ...{ problem: null, nextTryAt: null, refusal: null },
  sent: { texts: 0, tokens: 0, costNanoUsd: 0 },
};

/** By the price that is saved today; null when none is, or the model is gone. */
export async function costAt(workspaceId: WorkspaceId, embeddingModel: string, tokens: number): Promise<number | null> {
  const models = await listModelChoices(workspaceId);
  const known = models.find(({ ref, kind }) => ref === embeddingModel && kind === "embedding");
  return embeddingCost(tokens, known?.inputNanoUsdPerMtok ?? null);
}
