import type pg from "pg";
import { v7 as newId } from "uuid";
import { AppError } from "@/server/errors";
import { NO_SUCH_RUN } from "@/server/runs/rules";
import { hidingOf } from "@/server/secrets/redaction";
import { inTransaction } from "@/server/transaction";
import type { Scope } from "@/server/workspaces/scope";
import { type ChangeFeedbackInput, type FeedbackType, type GiveFeedbackInput, isVote } from "../schema";

/**
 * Keeps what a person says of the answer of a run (INT-LEARN-01, -02), with the conversation, team and agent version it was given by.
 * A vote takes the place of the one this person had on it; the same vote again changes nothing. Throws NOT_FOUND, and INVALID for a run
 * without an answer.
 */
export async function giveFeedback(
  { workspaceId, userId }: Scope,
  { runId, type, ...said }: GiveFeedbackInput,
): Promise<{ feedbackId: string }> {
  const { content, metadata } = (await hidingOf(workspaceId))(said);
  return inTransaction(async (client) => {
    const run = await holdAnswered(client, workspaceId, runId);
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO feedback (id, workspace_id, run_id, user_id, type, content, metadata, conversation_id, team_id, agent_id, agent_name,
         agent_version)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       ON CONFLICT (run_id, user_id) WHERE type IN ('positive', 'negative')
       DO UPDATE SET type = excluded.type, content = excluded.content, metadata = excluded.metadata,
         edited_at = CASE WHEN (feedback.type, feedback.content) = (excluded.type, excluded.content) THEN feedback.edited_at ELSE now() END
       RETURNING id`,
      [
        ...[newId(), workspaceId, runId, userId, type, content, JSON.stringify(metadata)],
        ...[run.conversationId, run.teamId, run.agentId, run.agentName, run.agentVersion],
      ],
    );
    return { feedbackId: rows[0]?.id ?? "" };
  });
}

type Answered = {
  answer: string | null;
  conversationId: string | null;
  teamId: string | null;
  agentId: string;
  agentName: string;
  agentVersion: number;
};

/** The run and the agent that answered, the root; it is not removed before the transaction ends. */
async function holdAnswered(client: pg.PoolClient, workspaceId: string, runId: string): Promise<Answered> {
  const { rows } = await client.query<Answered>(
    `SELECT r.answer, r.conversation_id AS "conversationId", r.team_id AS "teamId", v.agent_id AS "agentId", a.name AS "agentName",
       v.number AS "agentVersion"
     FROM runs r JOIN agent_runs a ON a.workspace_id = r.workspace_id AND a.run_id = r.id AND a.parent_id IS NULL
     JOIN agent_versions v ON v.workspace_id = a.workspace_id AND v.id = a.agent_version_id
     WHERE r.workspace_id = $1 AND r.id = $2 AND r.removing_at IS NULL ORDER BY a.created_at LIMIT 1 FOR KEY SHARE OF r`,
    [workspaceId, runId],
  );
  const [run] = rows;
  if (!run) throw new AppError("NOT_FOUND", NO_SUCH_RUN);
  if (run.answer === null) {
    throw new AppError(
      "INVALID",
      "The run has no answer, so there is nothing to say of it. Judge its decisions instead.",
    );
  }
  return run;
}

const NOT_THERE = "There is no such feedback. It may have been removed, or gone with its run.";

/** Says it in other words. Only of one's own: throws NOT_FOUND, NOT_ALLOWED, and INVALID for a correction or preference without words. */
export async function changeFeedback(scope: Scope, { feedbackId, content }: ChangeFeedbackInput): Promise<void> {
  const clean = (await hidingOf(scope.workspaceId))(content);
  await inTransaction(async (client) => {
    const { type } = await holdOwn(client, scope, feedbackId);
    if (!content && !isVote(type)) throw new AppError("INVALID", "Say it in words, or remove it.");
    await client.query(
      "UPDATE feedback SET content = $3, edited_at = now() WHERE workspace_id = $1 AND id = $2 AND content <> $3",
      [scope.workspaceId, feedbackId, clean],
    );
  });
}

/** Takes one's own feedback back; nothing of it is kept. Throws NOT_FOUND and NOT_ALLOWED. */
export async function removeFeedback(scope: Scope, feedbackId: string): Promise<void> {
  await inTransaction(async (client) => {
    await holdOwn(client, scope, feedbackId);
    await client.query("DELETE FROM feedback WHERE workspace_id = $1 AND id = $2", [scope.workspaceId, feedbackId]);
  });
}

async function holdOwn(
  client: pg.PoolClient,
  { workspaceId, userId }: Scope,
  feedbackId: string,
): Promise<{ type: FeedbackType }> {
  const { rows } = await client.query<{ type: FeedbackType; userId: string | null }>(
    `SELECT type, user_id AS "userId" FROM feedback WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [workspaceId, feedbackId],
  );
  const [row] = rows;
  if (!row) throw new AppError("NOT_FOUND", NOT_THERE);
  if (row.userId !== userId) throw new AppError("NOT_ALLOWED", "Somebody else said this. Only they can change it.");
  return row;
}
