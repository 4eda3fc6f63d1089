import type pg from "pg";
import { v7 as newId } from "uuid";
import { pool } from "@/server/db";
import { isTerminal } from "@/server/engine/state";
import { AppError } from "@/server/errors";
import { appendEntries, type NewEntry } from "@/server/ledger/service/append-entries";
import { deleteFiles } from "@/server/retrieval/remove-documents";
import { findClosure } from "@/server/runs/queries/find-closure";
import { planRun } from "@/server/runs/service/start-run";
import { storeRunWith, titleOf } from "@/server/runs/store-run";
import { hidingOf } from "@/server/secrets/redaction";
import { inTransaction } from "@/server/transaction";
import { askToMeasure } from "@/server/usage/service/ask-to-measure";
import { countRun } from "@/server/usage/service/count-against-limits";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { getStanding } from "./queries/get-standing";
import { whyNotAsk } from "./rules";
import type { AskInput, RenameConversationInput, StartConversationInput } from "./schema";

/** Opens a conversation with a published team or agent; nothing runs yet. Throws NOT_FOUND and INVALID, by name. */
export async function startConversation({
  scope: { workspaceId, userId },
  input: { teamId, agentId },
}: {
  scope: Scope;
  input: StartConversationInput;
}): Promise<{ conversationId: string }> {
  if ((teamId === undefined) === (agentId === undefined)) {
    throw new AppError("INVALID", "Name whom to ask: either a team or an agent.");
  }
  const kind = teamId === undefined ? "agent" : "team";
  const target = await findClosure(workspaceId, { kind, id: teamId ?? agentId ?? "" });
  if (!target || target.isDeleted) {
    throw new AppError("NOT_FOUND", `There is no such ${kind}. It may have been deleted.`);
  }
  if (target.versionId === null) {
    throw new AppError("INVALID", `“${target.name}” was never published. Publish the ${kind}, then ask it.`);
  }
  const conversationId = newId();
  await pool().query(
    "INSERT INTO conversations (id, workspace_id, title, team_id, agent_id, created_by_id) VALUES ($1, $2, '', $3, $4, $5)",
    [conversationId, workspaceId, teamId ?? null, agentId ?? null, userId],
  );
  return { conversationId };
}

/**
 * Starts the next turn: a run that knows what was asked and answered before. The first question becomes the title.
 * Throws NOT_FOUND, CONFLICT while the last question is being answered or an attachment is being read, and as
 * `planRun` does; TOO_MANY_REQUESTS at a limit of the workspace. Attachments that could not be read do not hold it up.
 */
export async function ask({ scope, input }: { scope: Scope; input: AskInput }): Promise<{ runId: string }> {
  const { workspaceId } = scope;
  const { conversationId } = input;
  const { kind, id } = await assertMayAsk(workspaceId, conversationId);
  const whom = kind === "team" ? { teamId: id } : { agentId: id };
  const plan = await planRun({ scope, input: { ...whom, input: input.input } });
  return inTransaction(async (client) => {
    // Two questions at once: the second waits here, then sees the first one's run.
    await lock(client, workspaceId, conversationId);
    await assertMayAsk(workspaceId, conversationId, client);
    await countRun(client, workspaceId);
    const runId = await storeRunWith(client, { ...plan, conversationId });
    await client.query(
      `UPDATE conversations SET updated_at = now(), title = CASE WHEN title = '' THEN $3 ELSE title END
       WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, conversationId, titleOf(plan.input)],
    );
    return { runId };
  });
}

async function assertMayAsk(workspaceId: WorkspaceId, conversationId: string, client?: pg.ClientBase) {
  const standing = await getStanding(workspaceId, conversationId, client);
  const whyNot = whyNotAsk(standing);
  if (whyNot) throw new AppError("CONFLICT", whyNot);
  return standing.target;
}

/** Throws NOT_FOUND. */
export async function renameConversation({
  scope,
  input: { conversationId, title },
}: {
  scope: Scope;
  input: RenameConversationInput;
}): Promise<{ title: string }> {
  const clean = (await hidingOf(scope.workspaceId))(title);
  const { rowCount } = await pool().query("UPDATE conversations SET title = $3 WHERE workspace_id = $1 AND id = $2", [
    scope.workspaceId,
    conversationId,
    clean,
  ]);
  if (rowCount === 0) throw new AppError("NOT_FOUND", "There is no such conversation. It may have been deleted.");
  return { title: clean };
}

/**
 * Deletes a conversation with its runs and attachments, for good. Throws NOT_FOUND, and CONFLICT while one of its runs
 * has not ended: a worker would write into what is no longer there.
 */
export async function removeConversation({
  scope: { workspaceId, userId },
  conversationId,
}: {
  scope: Scope;
  conversationId: string;
}): Promise<{ runs: number; attachments: number }> {
  const gone = await inTransaction((client) =>
    removeConversationWith(client, workspaceId, conversationId, { kind: "run.removed", byId: userId }),
  );
  await askToMeasure(workspaceId);
  return gone;
}

/** As `removeConversation`, inside a transaction of the caller. */
export async function removeConversationWith(
  client: pg.ClientBase,
  workspaceId: WorkspaceId,
  conversationId: string,
  /** How the ledger tells of its runs. */
  as: Pick<NewEntry, "kind" | "byId">,
): Promise<{ runs: number; attachments: number }> {
  await lock(client, workspaceId, conversationId);
  const { status } = await getStanding(workspaceId, conversationId, client);
  if (status !== null && !isTerminal(status)) {
    throw new AppError("CONFLICT", "A question of this conversation is still being answered. Stop it, then delete.");
  }
  const attachments = await removeAttachments(client, workspaceId, conversationId);
  const runs = await removeRuns(client, workspaceId, conversationId);
  const entries = runs.map((subjectId) => ({ ...as, subjectId }));
  await client.query("DELETE FROM conversations WHERE workspace_id = $1 AND id = $2", [workspaceId, conversationId]);
  await appendEntries(client, workspaceId, entries);
  return { runs: runs.length, attachments };
}

function lock(client: pg.ClientBase, workspaceId: WorkspaceId, conversationId: string) {
  return client.query("SELECT 1 FROM conversations WHERE workspace_id = $1 AND id = $2 FOR UPDATE", [
    workspaceId,
    conversationId,
  ]);
}

/** Passages of a large file take a while to delete; the embedded database serves nobody else during a statement. */
const CHUNKS_AT_ONCE = 500;

async function removeAttachments(client: pg.ClientBase, workspaceId: WorkspaceId, conversationId: string) {
  const { rows: bases } = await client.query<{ id: string }>(
    // An upload under way waits here, and then finds no base to go to.
    "SELECT id FROM knowledge_bases WHERE workspace_id = $1 AND conversation_id = $2 FOR UPDATE",
    [workspaceId, conversationId],
  );
  const baseId = bases[0]?.id;
  if (!baseId) return 0;
  for (let deleted = CHUNKS_AT_ONCE; deleted === CHUNKS_AT_ONCE; ) {
    const { rowCount } = await client.query(
      `DELETE FROM chunks WHERE workspace_id = $1 AND id IN (
         SELECT id FROM chunks WHERE workspace_id = $1 AND base_id = $2 LIMIT ${CHUNKS_AT_ONCE})`,
      [workspaceId, baseId],
    );
    deleted = rowCount ?? 0;
  }
  const { rows: documents } = await client.query<{ file_id: string }>(
    "DELETE FROM documents WHERE workspace_id = $1 AND base_id = $2 RETURNING file_id",
    [workspaceId, baseId],
  );
  await deleteFiles(
    client,
    workspaceId,
    documents.map((document) => document.file_id),
  );
  return documents.length;
}

async function removeRuns(client: pg.ClientBase, workspaceId: WorkspaceId, conversationId: string) {
  const { rows: runs } = await client.query<{ id: string }>(
    "SELECT id FROM runs WHERE workspace_id = $1 AND conversation_id = $2 ORDER BY created_at",
    [workspaceId, conversationId],
  );
  const ids = runs.map((run) => run.id);
  // Runs elsewhere that repeated one of these or were retried from it stay, without the link.
  await client.query("UPDATE runs SET rerun_of_id = NULL WHERE workspace_id = $1 AND rerun_of_id = ANY($2::uuid[])", [
    workspaceId,
    ids,
  ]);
  await client.query(
    "UPDATE runs SET forked_from_run_id = NULL WHERE workspace_id = $1 AND forked_from_run_id = ANY($2::uuid[])",
    [workspaceId, ids],
  );
  for (const id of ids) await client.query("DELETE FROM runs WHERE workspace_id = $1 AND id = $2", [workspaceId, id]);
  return ids;
}
