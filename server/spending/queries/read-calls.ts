import type pg from "pg";
import { inTransaction } from "@/server/transaction";

/**
 * Each join in the order it is written and by its index: from the runs of the workspace to their agent runs, steps and usages. Left to
 * itself, and on the embedded database without statistics in any case, Postgres would read the usages and messages of all workspaces.
 */
const SETTINGS = `SET LOCAL join_collapse_limit = 1; SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_mergejoin = off; SET LOCAL enable_memoize = off`;

/** Rows of a statement on the calls of one workspace, see `callsOf`. */
export async function readCalls<Row extends pg.QueryResultRow>(
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return inTransaction(async (client) => {
    await client.query(SETTINGS);
    const { rows } = await client.query<Row>(text, [...values]);
    return rows;
  });
}
