import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { pool } from "@/server/db";
import { type Looks, lookNowAndThen } from "@/server/look-now-and-then";
import { inTransaction } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { digestRun } from "../queries/digest-run";
import { appendEntries } from "../service/append-entries";

/** Nobody tells of a run's end: that would cost every run something, and a seal can wait for seconds. */
const LOOK_EVERY_MS = 5_000;
/** Runs that ended within this are looked for each time. */
const RECENT_MS = 15 * 60_000;
/** All runs, at the start and then now and then: a worker may have been away. */
const SWEEP_EVERY_MS = 10 * 60_000;
const RUNS_A_LOOK = 50;

/** Seals the records of runs that ended, in the background, until it is closed (A52). */
export function startSealing(): Pick<Looks, "close"> {
  let sweepAt = 0;
  const failed = "records of runs could not be sealed; it is tried again";
  return lookNowAndThen({ everyMs: LOOK_EVERY_MS, failed }, async (signal) => {
    const isSweep = Date.now() >= sweepAt;
    await sealEndedRuns(isSweep ? null : new Date(Date.now() - RECENT_MS), signal);
    // Only once it came through all of them.
    if (isSweep) sweepAt = Date.now() + SWEEP_EVERY_MS;
  });
}

type Sealable = { id: string; workspaceId: WorkspaceId; events: number };
type Ended = Sealable & { finishedAt: Date };

/** Seals every run without a seal that ended since an instant, or at all; the oldest first. Throws when it is closed. */
export async function sealEndedRuns(since: Date | null, signal: AbortSignal): Promise<void> {
  let after = { at: since ?? new Date(0), id: "00000000-0000-0000-0000-000000000000" };
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await pool().query<Ended>(
      // One whose agents are still being ended is left for the next look.
      `SELECT r.id, r.workspace_id AS "workspaceId", r.finished_at AS "finishedAt", r.last_seq AS events FROM runs r
       WHERE r.finished_at IS NOT NULL AND (r.finished_at, r.id) > ($1, $2) AND r.status IN ('completed', 'failed', 'aborted')
         AND r.removing_at IS NULL
         AND NOT EXISTS (SELECT FROM ledger_entries e WHERE e.workspace_id = r.workspace_id AND e.subject_id = r.id AND e.kind = 'run.sealed')
         AND NOT EXISTS (SELECT FROM agent_runs a WHERE a.run_id = r.id AND a.status IN ('queued', 'running', 'waiting'))
       ORDER BY r.finished_at, r.id LIMIT $3`,
      [after.at, after.id, RUNS_A_LOOK],
    );
    for (const run of rows) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      await sealRun(run);
      // Half of the time at most: runs are carried out in this process.
      await sleep(performance.now() - startedAt);
    }
    const last = rows.at(-1);
    if (!last || rows.length < RUNS_A_LOOK) return;
    after = { at: last.finishedAt, id: last.id };
  }
}

/** Seals one run that has ended, unless somebody else did. */
export async function sealRun({ id, workspaceId, events }: Sealable): Promise<void> {
  const digest = await digestRun(workspaceId, id, events);
  try {
    await inTransaction(async (client) => {
      // Removed meanwhile, or it has moved: the digest is of something else.
      const { rowCount } = await client.query(
        "SELECT 1 FROM runs WHERE workspace_id = $1 AND id = $2 AND last_seq = $3 AND removing_at IS NULL FOR KEY SHARE",
        [workspaceId, id, events],
      );
      if (rowCount) await appendEntries(client, workspaceId, [{ kind: "run.sealed", subjectId: id, digest, events }]);
    });
  } catch (error) {
    // Another worker was first.
    if (!(error instanceof pg.DatabaseError) || error.code !== "23505") throw error;
  }
}
