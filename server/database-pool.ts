import pg from "pg";

/**
 * Connections to the database. One that breaks is replaced by the pool and ends nothing: without a listener Node would
 * exit, and the pool itself listens only on those nobody has taken out.
 */
export function openPool({ url, max }: { url: string; max: number }): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
