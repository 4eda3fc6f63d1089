import type pg from "pg";
import { AppError } from "@/server/errors";
import { whyNotAdd, whyNotStart, whyNotUpload } from "../rules";
import { MB } from "../schema";
import { readLimits, readRunsAtWork, readUsedBytes, type UsageReader } from "./read-standing";

/**
 * What may be started and stored (A29, A41). Whoever counts holds the workspace's row in workspace_upkeep until the
 * transaction ends, so two at once never both take the last place.
 */

/**
 * Counts a run that a person starts, inside the transaction that stores it. Throws TOO_MANY_REQUESTS: too many at work, too
 * many today, or no room left.
 */
export async function countRun(client: pg.ClientBase, workspaceId: string): Promise<void> {
  const { rows } = await client.query<{ before: number }>(
    `INSERT INTO workspace_upkeep (workspace_id, runs_day, runs_started) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 1)
     ON CONFLICT (workspace_id) DO UPDATE SET runs_day = excluded.runs_day,
       runs_started = CASE WHEN workspace_upkeep.runs_day = excluded.runs_day THEN workspace_upkeep.runs_started + 1 ELSE 1 END
     RETURNING runs_started - 1 AS before`,
    [workspaceId],
  );
  const limits = await readLimits(client, workspaceId);
  const whyNot = whyNotStart(limits, {
    runsToday: rows[0]?.before ?? 0,
    runsAtWork: limits.runsAtOnce === null ? 0 : await readRunsAtWork(client, workspaceId),
    usedBytes: limits.storageMb === null ? 0 : await readUsedBytes(client, workspaceId),
  });
  if (whyNot) throw new AppError("TOO_MANY_REQUESTS", whyNot);
}

/** No room for these bytes; the door answers it with 413. */
export class StorageFull extends AppError {
  constructor(sentence: string) {
    super("INVALID", sentence);
  }
}

/** Nobody else counts in this workspace until the transaction ends. */
export async function lockUpkeep(client: pg.ClientBase, workspaceId: string): Promise<void> {
  await client.query("INSERT INTO workspace_upkeep (workspace_id) VALUES ($1) ON CONFLICT DO NOTHING", [workspaceId]);
  await client.query("SELECT 1 FROM workspace_upkeep WHERE workspace_id = $1 FOR NO KEY UPDATE", [workspaceId]);
}

/** Judges bytes that this transaction counted into files.size_bytes, under lockUpkeep(). Throws StorageFull. */
export async function assertRoom(client: pg.ClientBase, workspaceId: string, addedBytes: number): Promise<void> {
  const limits = await readLimits(client, workspaceId);
  if (limits.storageMb === null) return;
  const usedBytes = await readUsedBytes(client, workspaceId);
  if (usedBytes <= limits.storageMb * MB) return;
  const whyNot = whyNotUpload(limits, usedBytes - addedBytes, addedBytes);
  if (whyNot) throw new StorageFull(whyNot);
}

/**
 * Judges one more document of this name: a new revision of one that is there takes no place. Exact for a caller who holds
 * the base's row. Throws TOO_MANY_REQUESTS.
 */
export async function assertMayAddDocument(
  reader: UsageReader,
  workspaceId: string,
  { baseId, name }: { baseId: string; name: string },
): Promise<void> {
  const limits = await readLimits(reader, workspaceId);
  if (limits.documentsPerBase === null) return;
  const { rows } = await reader.query<{ count: number; is_there: boolean }>(
    `SELECT count(*)::int AS count, coalesce(bool_or(name = $3), false) AS is_there FROM documents
     WHERE workspace_id = $1 AND base_id = $2`,
    [workspaceId, baseId, name],
  );
  const whyNot = rows[0]?.is_there ? null : whyNotAdd(limits, rows[0]?.count ?? 0);
  if (whyNot) throw new AppError("TOO_MANY_REQUESTS", whyNot);
}
