import { pool } from "@/server/db";
import { isTerminal, type RunStatus } from "@/server/engine/state";
import { AppError } from "@/server/errors";
import { toInstant } from "@/server/runs/queries/instant";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { RunSeal } from "../schema";
import { hashOfEntry } from "./chain";
import { areBlobsWhole, digestRun } from "./digest-run";
import { ENTRY_COLUMNS, type EntryRow, toEntry } from "./entry-row";

/** Compares a run's record with its seal: reads all of it. Throws NOT_FOUND. */
export async function getRunSeal(workspaceId: WorkspaceId, runId: string): Promise<RunSeal> {
  const { rows } = await pool().query<{ status: RunStatus; events: number }>(
    "SELECT status, last_seq AS events FROM runs WHERE workspace_id = $1 AND id = $2 AND removing_at IS NULL",
    [workspaceId, runId],
  );
  const [run] = rows;
  if (!run) throw new AppError("NOT_FOUND", "This run does not exist, or it is in another workspace.");
  const { rows: entries } = await pool().query<EntryRow & { next: string | null; head: string | null }>(
    `SELECT ${ENTRY_COLUMNS},
       (SELECT n.previous_hash FROM ledger_entries n WHERE n.workspace_id = e.workspace_id AND n.seq = e.seq + 1) AS next,
       (SELECT h.hash FROM ledger_heads h WHERE h.workspace_id = e.workspace_id AND h.seq = e.seq) AS head
     FROM ledger_entries e WHERE e.workspace_id = $1 AND e.subject_id = $2 AND e.kind = 'run.sealed'`,
    [workspaceId, runId],
  );
  const [row] = entries;
  if (!row) {
    const state = isTerminal(run.status) ? "pending" : "open";
    return { state, sealedAt: null, digest: null };
  }
  const entry = toEntry(workspaceId, row);
  const told = { sealedAt: toInstant(row.at), digest: row.digest };
  // What follows an entry names its hash: one that was rewritten with a hash that fits it does not fit there.
  if (hashOfEntry(entry) !== row.hash || (row.next ?? row.head) !== row.hash) return { state: "broken", ...told };
  if (!isTerminal(run.status) || run.events !== row.events) return { state: "changed", ...told };
  const isSame = (await digestRun(workspaceId, runId, row.events)) === row.digest;
  return { state: isSame && (await areBlobsWhole(workspaceId, runId)) ? "unchanged" : "changed", ...told };
}
