import type pg from "pg";
import { pool } from "@/server/db";
import { appendEntries } from "@/server/ledger/service/append-entries";
import { removeBaseDocuments, removeBaseRow } from "@/server/retrieval/remove-documents";
import { inTransaction } from "@/server/transaction";
import { askToMeasure } from "@/server/usage/service/ask-to-measure";
import type { Scope, WorkspaceId } from "@/server/workspaces/scope";
import { planRemoval } from "./queries/plan-removal";
import type { ExampleNoun, ExampleView } from "./schema";

/**
 * Removes the examples for good, but for what somebody changed or still uses: that stays and is theirs from then on. An example
 * that waits for an answer is ended first. Returns what went and what stayed. Twice changes nothing.
 */
export async function removeExamples({ workspaceId, userId }: Scope): Promise<ExampleView[]> {
  const plan = await inTransaction(async (client) => {
    // Two owners at once: the second finds nothing left.
    await client.query("SELECT 1 FROM examples WHERE workspace_id = $1 ORDER BY noun, row_id FOR UPDATE", [
      workspaceId,
    ]);
    const planned = await planRemoval(workspaceId, client);
    const going = (noun: ExampleNoun) =>
      planned.filter((example) => example.noun === noun && example.whyKept === null).map(({ id }) => id);
    const turns = await turnsOf(client, workspaceId, { conversations: going("conversation"), without: going("run") });
    await endAndDeleteRuns(client, workspaceId, going("run"));
    for (const [noun, table] of ROWS) {
      await client.query(`DELETE FROM ${table} WHERE workspace_id = $1 AND id = ANY($2::uuid[])`, [
        ...[workspaceId, going(noun)],
      ]);
    }
    await client.query("DELETE FROM examples WHERE workspace_id = $1", [workspaceId]);
    const removed = [...going("run"), ...turns].map((subjectId) => ({
      kind: "run.removed" as const,
      subjectId,
      byId: userId,
    }));
    await appendEntries(client, workspaceId, removed);
    for (const noun of ["agents", "teams", "documents"]) {
      await client.query("SELECT tell_changed($1, $2, NULL)", [workspaceId, noun]);
    }
    return planned;
  });
  // Outside: an index is deleted piece by piece, so that nobody waits long. Nobody searches it any more.
  for (const { noun, id, whyKept } of plan) {
    if (noun !== "base" || whyKept !== null) continue;
    await removeBaseDocuments(workspaceId, id);
    await removeBaseRow(workspaceId, id);
  }
  await askToMeasure(workspaceId);
  await pool().query("SELECT tell_changed($1, 'documents', NULL)", [workspaceId]);
  return plan;
}

/** In this order: what refers to a row goes before it. */
const ROWS: readonly (readonly [ExampleNoun, string])[] = [
  ["conversation", "conversations"],
  ["team", "teams"],
  ["agent", "agents"],
  ["tool_server", "tool_servers"],
];

/** Runs that go with their conversations. */
async function turnsOf(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  { conversations, without }: { conversations: readonly string[]; without: readonly string[] },
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM runs WHERE workspace_id = $1 AND conversation_id = ANY($2::uuid[]) AND NOT id = ANY($3::uuid[]) ORDER BY id`,
    [workspaceId, conversations, without],
  );
  return rows.map(({ id }) => id);
}

async function endAndDeleteRuns(client: pg.PoolClient, workspaceId: WorkspaceId, runIds: readonly string[]) {
  // Whoever executes one of them is fenced, and told.
  await client.query(
    `SELECT abort_agent_runs(array_agg(id), 'examples_removed') FROM agent_runs
     WHERE workspace_id = $1 AND run_id = ANY($2::uuid[]) AND parent_id IS NULL GROUP BY run_id`,
    [workspaceId, runIds],
  );
  await client.query("DELETE FROM runs WHERE workspace_id = $1 AND id = ANY($2::uuid[])", [workspaceId, runIds]);
}
