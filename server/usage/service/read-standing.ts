import { type Limits, storedLimits } from "../schema";

/** Anything that reads: the pool, or the client of a transaction. */
export type UsageReader = {
  query<T extends object>(text: string, values: unknown[]): Promise<{ rows: T[] }>;
};

/** The workspace's limits. What is missing in its row has its default. */
export async function readLimits(reader: UsageReader, workspaceId: string): Promise<Limits> {
  const { rows } = await reader.query<{ limits: unknown }>("SELECT limits FROM workspaces WHERE id = $1", [
    workspaceId,
  ]);
  return storedLimits.parse(rows[0]?.limits ?? {});
}

/** Bytes kept now: files to the byte, with what uploads under way have reserved; everything else as last measured. */
export async function readUsedBytes(reader: UsageReader, workspaceId: string): Promise<number> {
  const { rows } = await reader.query<{ bytes: number }>(
    `SELECT ((SELECT coalesce(sum(size_bytes), 0) FROM files WHERE workspace_id = $1)
       + (SELECT coalesce(sum(bytes), 0) FROM workspace_usage WHERE workspace_id = $1 AND kind <> 'files'))::float8 AS bytes`,
    [workspaceId],
  );
  return rows[0]?.bytes ?? 0;
}

/** Runs queued or running. Only what has not ended has no measured size, and few rows are without one. */
export async function readRunsAtWork(reader: UsageReader, workspaceId: string): Promise<number> {
  const { rows } = await reader.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM runs
     WHERE workspace_id = $1 AND kept_bytes IS NULL AND status IN ('queued', 'running')`,
    [workspaceId],
  );
  return rows[0]?.count ?? 0;
}
