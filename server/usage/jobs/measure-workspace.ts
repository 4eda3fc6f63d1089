import pg from "pg";
import { pool } from "@/server/db";
import { logger } from "@/server/logger";
import type { Sum, UsageKind } from "../schema";
import { measureBlobs, sweepBlobs } from "./blobs";
import { measurePassages } from "./measure-passages";
import { measureRuns } from "./measure-runs";

/**
 * Measures what a workspace keeps, in many small statements, and stores the figures at the end, all at once. What nobody
 * names any more is swept away in passing. Returns the bytes in all.
 */
export async function measureWorkspace(workspaceId: string, signal: AbortSignal): Promise<number> {
  const blobs = await measureBlobs(workspaceId, signal);
  await sweep(workspaceId, blobs.unnamed, signal);
  const { values, leftovers } = blobs.unnamed.length ? await measureBlobs(workspaceId, signal) : blobs;
  const { runs, conversations } = await measureRuns(workspaceId, signal);
  const passages = await measurePassages(workspaceId, signal);
  const files = await measureFiles(workspaceId);
  const sums = { files, passages, runs, conversations, values, leftovers } satisfies Record<UsageKind, Sum>;
  await pool().query(
    `INSERT INTO workspace_usage (workspace_id, kind, bytes, items, measured_at)
     SELECT w.id, k.kind, k.bytes, k.items, now() FROM workspaces w, unnest($2::text[], $3::bigint[], $4::bigint[]) AS k (kind, bytes, items)
     WHERE w.id = $1
     ON CONFLICT (workspace_id, kind) DO UPDATE SET bytes = excluded.bytes, items = excluded.items, measured_at = excluded.measured_at`,
    [
      workspaceId,
      Object.keys(sums),
      Object.values(sums).map(({ bytes }) => Math.round(bytes)),
      Object.values(sums).map(({ items }) => items),
    ],
  );
  return Object.values(sums).reduce((total, { bytes }) => total + Math.round(bytes), 0);
}

/** Waits for nobody: what cannot be locked now is left for the next time. */
async function sweep(workspaceId: string, hashes: readonly string[], signal: AbortSignal): Promise<void> {
  if (hashes.length === 0) return;
  try {
    const swept = await sweepBlobs(workspaceId, hashes, signal);
    if (swept.items > 0) logger.info({ workspaceId, ...swept }, "large values nobody names any more were removed");
  } catch (error) {
    const isBusy = error instanceof pg.DatabaseError && error.code === "55P03";
    if (!isBusy) throw error;
  }
}

async function measureFiles(workspaceId: string): Promise<Sum> {
  const { rows } = await pool().query<Sum>(
    "SELECT count(*)::int AS items, coalesce(sum(size_bytes), 0)::float8 AS bytes FROM files WHERE workspace_id = $1",
    [workspaceId],
  );
  return rows[0] ?? { items: 0, bytes: 0 };
}
