import type pg from "pg";
import { pool } from "./db";

/** Runs `work` in one transaction on one connection; rolls back when it throws. Await only the client's queries inside. */
export async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    // A connection that cannot even roll back is thrown away.
    const broken = await client.query("rollback").then(
      () => undefined,
      (failed: Error) => failed,
    );
    client.release(broken);
    throw error;
  }
}
