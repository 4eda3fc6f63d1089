import type pg from "pg";

/** Any number, the same in every worker. */
const LOCK = 7_201_942;
const AGAIN_MS = 50;

/**
 * Does something that workers of one database must not do at the same moment, such as making DBOS's tables on an empty one: each waits for
 * the one before it. A worker that dies meanwhile gives way. Not on the embedded database, whose clients
 * are one session to it: there the launcher starts a single worker.
 */
export async function oneAtATime<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    // Asked again and again: a statement that waits would hold up the indexes DBOS builds beside running transactions.
    while (!(await take(client))) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    return await work();
  } finally {
    // A connection that broke has given up its lock, and is not used again.
    const broken = await client.query("SELECT pg_advisory_unlock($1)", [LOCK]).then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(broken);
  }
}

async function take(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [LOCK]);
  return rows[0]?.taken === true;
}
