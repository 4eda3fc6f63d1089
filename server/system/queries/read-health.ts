import type pg from "pg";
import { compareMigrations } from "../rules";
import { WORKER_SILENT_AFTER_MS } from "./check-work";
import { readMigrations } from "./read-migrations";

/** What load balancers and start scripts ask for. Names nothing that a stranger could use. */
export type Health = {
  database: "ok" | "unreachable";
  schema: "ok" | "behind" | "newer" | "unknown";
  worker: "ok" | "none" | "unknown";
  /** Agent runs that wait for a worker, and for how long the first of them has; null when that could not be read. */
  queue: { depth: number; lagMs: number } | null;
};

const WITHIN_MS = 2_000;
const NOTHING_KNOWN: Health = { database: "unreachable", schema: "unknown", worker: "unknown", queue: null };

/** Never throws; a database that does not answer within 2 s counts as unreachable. */
export async function readHealth({ pool, root }: { pool: pg.Pool; root: string }): Promise<Health> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Health>((resolve) => {
    timer = setTimeout(() => resolve(NOTHING_KNOWN), WITHIN_MS);
  });
  try {
    return await Promise.race([ask(pool, root), late]);
  } catch {
    return NOTHING_KNOWN;
  } finally {
    clearTimeout(timer);
  }
}

async function ask(pool: pg.Pool, root: string): Promise<Health> {
  await pool.query("SELECT 1");
  const schema = await readMigrations(pool, root).then(
    (migrations) => {
      const { pending, newer } = compareMigrations(migrations);
      if (newer.length > 0) return "newer";
      return pending.length > 0 ? "behind" : "ok";
    },
    () => "behind" as const,
  );
  const worker = await pool
    .query<{ alive: boolean }>(
      "SELECT EXISTS (SELECT FROM workers WHERE beat_at > clock_timestamp() - make_interval(secs => $1)) AS alive",
      [WORKER_SILENT_AFTER_MS / 1000],
    )
    .then(
      ({ rows }) => (rows[0]?.alive ? "ok" : "none"),
      () => "unknown" as const,
    );
  const queue = await pool
    .query<{ depth: number; lagMs: number }>(
      `SELECT count(*)::int AS depth,
         greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min(created_at)) * 1000, 0))::float8 AS "lagMs"
       FROM agent_runs WHERE status = 'queued'`,
    )
    .then(
      ({ rows: [row] }) => (row ? { depth: row.depth, lagMs: Math.round(row.lagMs) } : null),
      () => null,
    );
  return { database: "ok", schema, worker, queue };
}
