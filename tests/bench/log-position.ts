import pg from "pg";

/** Bytes of write-ahead log the server has written; NaN on the embedded database, which does not say. */
export async function logPosition(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>("SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes");
    return Number(rows[0]?.bytes);
  } catch {
    return Number.NaN;
  } finally {
    await client.end();
  }
}
