import type pg from "pg";
import { inTransaction } from "@/server/transaction";

/**
 * Where nobody gathers statistics, on the embedded database, Postgres takes a workspace for small and would rather read and sort all of
 * it.
 */
const SETTINGS = "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off";

/** Rows of a read that looks decisions up by an index, or takes the newest by theirs and stops when it has enough. */
export async function readByIndex<Row extends pg.QueryResultRow>(
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return inTransaction(async (client) => {
    await client.query(SETTINGS);
    const { rows } = await client.query<Row>(text, [...values]);
    return rows;
  });
}
