import type pg from "pg";
import { removeConversationWith } from "@/server/conversations/service";
import { pool } from "@/server/db";
import { appendEntries } from "@/server/ledger/service/append-entries";
import { logger } from "@/server/logger";
import { inTransaction } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { CLEANUP_KINDS, type CleanupKind, type Cutoffs, type Removed } from "../schema";
import { BYTES_OF, CANDIDATES } from "../service/cleanup-candidates";
import { measureEndedRuns } from "./measure-runs";
import { deleteRun, forgetWorkflows, thinOut } from "./remove-run";
import { reuseRoom } from "./reuse-room";

const NO_ID = "00000000-0000-0000-0000-000000000000";
const CANDIDATES_A_LOOK = 50;
const TELL_EVERY_MS = 1_000;

/** A claimed row of `cleanups`; `workspaceId` is proven by the claim. */
export type CleanupJob = {
  id: string;
  workspaceId: WorkspaceId;
  workerId: string;
  /** Whoever asked for it; null: the daily job. */
  startedById: string | null;
  cutoffs: Cutoffs;
  removed: Removed;
};

/** Somebody else has the cleanup now, or its workspace is gone. */
class NotOurs extends Error {}

/**
 * Removes what a cleanup names, one thing a transaction, and counts it in the same transaction: cut off anywhere, whoever goes on
 * finds the rest and the right count. Throws the signal's reason; returns whether it came to the end.
 */
export async function carryOutCleanup(job: CleanupJob, signal: AbortSignal): Promise<boolean> {
  try {
    await measureEndedRuns(job.workspaceId, signal);
    for (const kind of CLEANUP_KINDS) {
      const before = job.cutoffs[kind];
      if (before) await removeKind(job, kind, before, signal);
    }
    const isDone = await finish(job);
    if (isDone && Object.keys(job.removed).length > 0) await reuseRoom(signal);
    return isDone;
  } catch (error) {
    if (error instanceof NotOurs) return false;
    throw error;
  }
}

async function removeKind(job: CleanupJob, kind: CleanupKind, before: string, signal: AbortSignal): Promise<void> {
  const { from, where, id } = CANDIDATES[kind];
  let after = NO_ID;
  let toldAt = 0;
  for (;;) {
    const { rows } = await pool().query<{ id: string }>(
      `SELECT ${id} AS id FROM ${from} WHERE ${where} AND ${id} > $3 ORDER BY ${id} LIMIT ${CANDIDATES_A_LOOK}`,
      [job.workspaceId, before, after],
    );
    if (rows.length === 0) return;
    for (const row of rows) {
      signal.throwIfAborted();
      await removeOne(job, { kind, before, id: row.id }, signal);
      after = row.id;
      if (Date.now() - toldAt < TELL_EVERY_MS) continue;
      toldAt = Date.now();
      await tell(job);
    }
  }
}

type One = { kind: CleanupKind; before: string; id: string };

async function removeOne(job: CleanupJob, { kind, before, id }: One, signal: AbortSignal): Promise<void> {
  // A run that is to go stays so: emptied first, it needs no long transaction.
  if (kind === "runs") await thinOut(pool(), job.workspaceId, id, signal);
  const removed = await inTransaction(async (client) => {
    const bytes = await lockCandidate(client, job, { kind, before, id });
    // It was used again, or somebody else deleted it.
    if (bytes === null) return job.removed;
    await REMOVE[kind](client, job, id, signal);
    const sofar = job.removed[kind] ?? { items: 0, bytes: 0 };
    const counted = { ...job.removed, [kind]: { items: sofar.items + 1, bytes: sofar.bytes + bytes } };
    const { rowCount } = await client.query(
      "UPDATE cleanups SET removed = $4 WHERE workspace_id = $1 AND id = $2 AND worker_id = $3 AND finished_at IS NULL",
      [job.workspaceId, job.id, job.workerId, JSON.stringify(counted)],
    );
    if (rowCount === 0) throw new NotOurs();
    return counted;
  });
  job.removed = removed;
}

/** The row, held, if it is still to go; its own bytes. */
async function lockCandidate(
  client: pg.ClientBase,
  job: CleanupJob,
  { kind, before, id }: One,
): Promise<number | null> {
  const { from, where, id: column } = CANDIDATES[kind];
  const alias = column.split(".")[0];
  const values = [job.workspaceId, before, id];
  // First the lock, then the judgement: what happened while it waited counts.
  await client.query(
    `SELECT 1 FROM ${from} WHERE ${alias}.workspace_id = $1 AND ${column} = $3 AND $2::timestamptz IS NOT NULL FOR UPDATE`,
    values,
  );
  const { rows } = await client.query<{ bytes: number }>(
    `SELECT (${BYTES_OF[kind]})::float8 AS bytes FROM ${from} WHERE ${where} AND ${column} = $3`,
    values,
  );
  return rows[0]?.bytes ?? null;
}

type Remove = (client: pg.ClientBase, job: CleanupJob, id: string, signal: AbortSignal) => Promise<void>;

const REMOVE: Record<CleanupKind, Remove> = {
  runs: async (client, { workspaceId, startedById }, id) => {
    await deleteRun(client, workspaceId, id);
    await appendEntries(client, workspaceId, [{ kind: "run.expired", subjectId: id, byId: startedById }]);
  },
  conversations: async (client, { workspaceId, startedById }, id, signal) => {
    const { rows } = await client.query<{ id: string }>(
      "SELECT id FROM runs WHERE workspace_id = $1 AND conversation_id = $2",
      [workspaceId, id],
    );
    for (const run of rows) await thinOut(client, workspaceId, run.id, signal);
    await forgetWorkflows(client, workspaceId, "conversation_id = $2", id);
    await removeConversationWith(client, workspaceId, id, { kind: "run.expired", byId: startedById });
  },
  uploads: async (client, { workspaceId }, id) => {
    await client.query("DELETE FROM files WHERE workspace_id = $1 AND id = $2", [workspaceId, id]);
  },
};

async function finish(job: CleanupJob): Promise<boolean> {
  const { rowCount } = await pool().query(
    `WITH done AS (UPDATE cleanups SET finished_at = now(), worker_id = NULL, problem = NULL
       WHERE workspace_id = $1 AND id = $2 AND worker_id = $3 AND finished_at IS NULL RETURNING workspace_id)
     INSERT INTO workspace_upkeep (workspace_id) SELECT workspace_id FROM done
     ON CONFLICT (workspace_id) DO UPDATE SET measure_due_at = now()`,
    [job.workspaceId, job.id, job.workerId],
  );
  if (rowCount === 0) return false;
  await tell(job);
  logger.info({ workspaceId: job.workspaceId, cleanupId: job.id, removed: job.removed }, "a cleanup is done");
  return true;
}

/** Pages that show the usage, and lists of what went. */
async function tell({ workspaceId, id }: CleanupJob): Promise<void> {
  await pool().query("SELECT tell_changed($1, 'usage', $2), tell_changed($1, 'runs', NULL)", [workspaceId, id]);
}
