import pg from "pg";

/**
 * Connections to the database. One that breaks is replaced by the pool and ends nothing: without a listener Node would
 * exit, and the pool itself listens only on those nobody has taken out. No statement here takes long enough to be worth compiling:
 * where Postgres thinks one is, that alone takes half a second.
 */
export function openPool({ url, max }: { url: string; max: number }): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    onConnect: async (client) => {
      await client.query("SET jit = off");
    },
  });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
