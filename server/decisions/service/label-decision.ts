import type pg from "pg";
import { v7 as newId } from "uuid";
import { AppError } from "@/server/errors";
import { findBlobs } from "@/server/runs/queries/blobs";
import type { OfferedOption } from "@/server/runs/schema";
import { hidingOf } from "@/server/secrets/redaction";
import { inTransaction } from "@/server/transaction";
import type { Scope } from "@/server/workspaces/scope";
import type { LabelDecisionInput } from "../schema";

type Said = Omit<LabelDecisionInput, "decisionId">;

/**
 * Says what this person thinks of a decision, in place of what they said before, which stays as history. Saying the same again changes
 * nothing. Throws NOT_FOUND, and INVALID for a better option that was not on offer.
 */
export async function labelDecision(scope: Scope, { decisionId, ...said }: LabelDecisionInput): Promise<void> {
  const { workspaceId, userId } = scope;
  const { verdict, option = null } = said;
  const { words, note } = (await hidingOf(workspaceId))({ words: said.words, note: said.note });
  const standing = [verdict, option, words, note];
  await inTransaction(async (client) => {
    const { optionsHash } = await hold(client, scope, decisionId);
    if (option) await assertOffered(scope, client, { option, optionsHash });
    const { rows } = await client.query<{ said: unknown[] }>(
      `SELECT json_build_array(verdict, option, words, note) AS said FROM decision_labels
       WHERE workspace_id = $1 AND decision_id = $2 AND user_id = $3 AND ended_at IS NULL`,
      [workspaceId, decisionId, userId],
    );
    if (rows[0] && JSON.stringify(rows[0].said) === JSON.stringify(standing)) return;
    await endStanding(client, scope, decisionId);
    await client.query(
      `INSERT INTO decision_labels (id, workspace_id, decision_id, user_id, verdict, option, words, note, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())`,
      [newId(), workspaceId, decisionId, userId, ...standing],
    );
  });
}

/** Takes back what this person said of it; it stays as history. Nothing happens where they said nothing. Throws NOT_FOUND. */
export async function withdrawLabel(scope: Scope, decisionId: string): Promise<void> {
  await inTransaction(async (client) => {
    await hold(client, scope, decisionId);
    await endStanding(client, scope, decisionId);
  });
}

/** Two tabs of one person label one after the other. */
async function hold(
  client: pg.PoolClient,
  { workspaceId }: Scope,
  decisionId: string,
): Promise<{ optionsHash: string | null }> {
  const { rows } = await client.query<{ optionsHash: string | null }>(
    `SELECT options_hash AS "optionsHash" FROM decisions WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [workspaceId, decisionId],
  );
  if (!rows[0]) throw new AppError("NOT_FOUND", "There is no such decision. It may have gone with its run.");
  return rows[0];
}

async function assertOffered(
  { workspaceId }: Scope,
  client: pg.PoolClient,
  { option, optionsHash }: { option: NonNullable<Said["option"]>; optionsHash: string | null },
): Promise<void> {
  const blobs = await findBlobs(workspaceId, optionsHash ? [optionsHash] : [], client);
  const offered = JSON.parse(blobs.get(optionsHash ?? "") ?? "[]") as OfferedOption[];
  if (offered.some(({ key }) => key === option)) return;
  throw new AppError("INVALID", `“${option}” was not on offer. Choose one of the options, or say it in words.`);
}

async function endStanding(client: pg.PoolClient, { workspaceId, userId }: Scope, decisionId: string): Promise<void> {
  await client.query(
    `UPDATE decision_labels SET ended_at = now()
     WHERE workspace_id = $1 AND decision_id = $2 AND user_id = $3 AND ended_at IS NULL`,
    [workspaceId, decisionId, userId],
  );
}
