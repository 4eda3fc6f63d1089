import pg from "pg";
import { LauncherError } from "./launcher-error";

async function ask<T extends pg.QueryResultRow>(url: string, sql: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Throws LauncherError when the rows of this database live elsewhere since `npm run move`. */
export async function assertNotMoved(url: string): Promise<void> {
  const moved = await movedTo(url);
  if (!moved) return;
  throw new LauncherError(
    `This database was moved to ${moved.to} on ${moved.on}; what is here is out of date. Start with that one, or run \`npm run move -- --take-back\` to use this one again.`,
  );
}

export async function movedTo(url: string): Promise<{ to: string; on: string } | null> {
  const [row] = await ask<{ to: string | null; on: string }>(
    url,
    `SELECT moved_to AS to, to_char(moved_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS on FROM installation`,
  );
  return row?.to ? { to: row.to, on: row.on } : null;
}

/** When this database was last restored from a backup; null when never. */
export async function restoredAt(url: string): Promise<string | null> {
  const [row] = await ask<{ at: string | null }>(
    url,
    "SELECT to_char(restored_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS at FROM installation",
  );
  return row?.at ?? null;
}

/** `to` null: it is in use again. */
export async function markMoved(url: string, to: string | null): Promise<void> {
  await ask(
    url,
    "UPDATE installation SET moved_to = $1::text, moved_at = CASE WHEN $1::text IS NOT NULL THEN now() END",
    [to],
  );
}

/** Whether somebody's work is in this database. */
export async function holdsWork(url: string): Promise<boolean> {
  const [row] = await ask<{ some: boolean }>(
    url,
    "SELECT EXISTS (SELECT FROM users) OR EXISTS (SELECT FROM workspaces) AS some",
  );
  return row?.some ?? false;
}

/** A worker that has not been heard of for this long has ended, in milliseconds. */
const SILENT_AFTER_MS = 4_000;

/** Waits for workers that were just ended; throws LauncherError when one goes on. */
export async function assertNoWorkers(url: string): Promise<void> {
  for (const end = Date.now() + SILENT_AFTER_MS + 1_000; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const alive = await ask<{ host: string; pid: number }>(
      url,
      "SELECT host, pid FROM workers WHERE beat_at > clock_timestamp() - make_interval(secs => $1)",
      [SILENT_AFTER_MS / 1000],
    );
    if (alive.length === 0) return;
    if (Date.now() < end) continue;
    const names = alive.map(({ host, pid }) => `process ${pid} on ${host}`).join(", ");
    throw new LauncherError(
      `A worker still uses the database (${names}). Stop it, then try again. Nothing was changed.`,
    );
  }
}
