import type pg from "pg";
import { pool } from "@/server/db";
import { inTransaction, type Reader } from "@/server/transaction";
import { forgetImported, importedAt } from "./forget-imported";

/** A run with more events than this goes in pieces: one statement for all of it would hold up everybody. */
const LARGE_EVENTS = 2_000;
const ROWS_A_DELETE = 1_000;

const byAgentRun = (table: string) =>
  `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT x.ctid FROM agent_runs a
   CROSS JOIN LATERAL (SELECT ctid FROM ${table} WHERE agent_run_id = a.id LIMIT $3) x
   WHERE a.workspace_id = $1 AND a.run_id = $2 LIMIT $3))`;

/** What a large run has most of, and how its rows are found. None of it is needed to tell that the run is to go. */
const PIECES = [
  // First: they name steps and decisions.
  "DELETE FROM events WHERE ctid = ANY(ARRAY(SELECT ctid FROM events WHERE workspace_id = $1 AND run_id = $2 LIMIT $3))",
  ...["messages", "reasonings", "usages", "retrievals", "steps"].map(byAgentRun),
  "DELETE FROM citations WHERE ctid = ANY(ARRAY(SELECT ctid FROM citations WHERE workspace_id = $1 AND run_id = $2 LIMIT $3))",
  byAgentRun("decisions"),
];

/**
 * Empties a large run ahead of its removal, a piece a statement. Outside of a transaction, cut off in between, it is a run with
 * gaps in its record until whoever takes the cleanup over goes on. Call only for runs that are to go.
 */
export async function thinOut(reader: Reader, workspaceId: string, runId: string, signal: AbortSignal): Promise<void> {
  const { rows } = await reader.query<{ events: number }>(
    "SELECT last_seq AS events FROM runs WHERE workspace_id = $1 AND id = $2",
    [workspaceId, runId],
  );
  if ((rows[0]?.events ?? 0) <= LARGE_EVENTS) return;
  for (const piece of PIECES) {
    for (let deleted = ROWS_A_DELETE; deleted === ROWS_A_DELETE; ) {
      signal.throwIfAborted();
      deleted = (await reader.query(piece, [workspaceId, runId, ROWS_A_DELETE])).rowCount ?? 0;
    }
  }
}

/** Removes a run that somebody marked as going, a large one in pieces. Cut off anywhere, `finishRemovals` goes on. */
export async function carryOutRemoval(workspaceId: string, runId: string, signal: AbortSignal): Promise<void> {
  await thinOut(pool(), workspaceId, runId, signal);
  await inTransaction((client) => deleteRun(client, workspaceId, runId));
}

/** Removes what is left of runs whose removal was cut off. */
export async function finishRemovals(signal: AbortSignal): Promise<void> {
  const { rows } = await pool().query<{ id: string; workspaceId: string }>(
    // Whoever began is most likely still at it; two at once would only wait for each other.
    `SELECT id, workspace_id AS "workspaceId" FROM runs WHERE removing_at < now() - interval '1 minute' ORDER BY id`,
  );
  for (const { id, workspaceId } of rows) await carryOutRemoval(workspaceId, id, signal);
}

/** Deletes a run with everything of it, what it was shown by if it was imported, and what the queue remembers of its agent runs. Blobs wait for the sweep. */
export async function deleteRun(client: pg.ClientBase, workspaceId: string, runId: string): Promise<void> {
  await forgetWorkflows(client, workspaceId, "id = $2", runId);
  // Runs that repeated it or were retried from it stay, without the link.
  await client.query("UPDATE runs SET rerun_of_id = NULL WHERE workspace_id = $1 AND rerun_of_id = $2", [
    ...[workspaceId, runId],
  ]);
  await client.query("UPDATE runs SET forked_from_run_id = NULL WHERE workspace_id = $1 AND forked_from_run_id = $2", [
    ...[workspaceId, runId],
  ]);
  const at = await importedAt(client, workspaceId, runId);
  await client.query("DELETE FROM runs WHERE workspace_id = $1 AND id = $2", [workspaceId, runId]);
  if (at !== null) await forgetImported(client, workspaceId, at);
}

/** DBOS keeps a row for each time an agent run was begun or resumed, with its id only (`<id>`, then `<id>.1`…). Its tables are there once a worker has run. */
export async function forgetWorkflows(
  client: pg.ClientBase,
  workspaceId: string,
  which: "id = $2" | "conversation_id = $2",
  id: string,
): Promise<void> {
  const { rows } = await client.query<{ is_there: boolean }>(
    "SELECT to_regclass('dbos.workflow_status') IS NOT NULL AS is_there",
  );
  if (!rows[0]?.is_there) return;
  await client.query(
    `DELETE FROM dbos.workflow_status WHERE status IN ('SUCCESS', 'ERROR', 'CANCELLED') AND workflow_uuid IN (
       SELECT a.id::text || CASE WHEN g.n = 0 THEN '' ELSE '.' || g.n END
       FROM agent_runs a JOIN runs r ON r.id = a.run_id CROSS JOIN LATERAL generate_series(0, a.generation) AS g(n)
       WHERE r.workspace_id = $1 AND r.${which})`,
    [workspaceId, id],
  );
}
