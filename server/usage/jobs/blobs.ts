import type pg from "pg";
import { inTransaction } from "@/server/transaction";
import type { Sum } from "../schema";
import { Pace } from "./pace";

/** A writer that takes this long holds the sweep up; it comes again, and writers never wait longer than this for it. */
const LOCK_WAIT_MS = 250;
const BLOBS_A_SWEEP = 100;

/** Everything that names a blob of the workspace $1; each has an index by the hash, or by its beginning. */
const IS_NAMED = `coalesce((SELECT true FROM decisions d WHERE d.workspace_id = $1 AND left(d.options_hash, 8) = left(b.hash, 8) AND d.options_hash = b.hash LIMIT 1),
  (SELECT true FROM steps s WHERE s.workspace_id = $1 AND left(s.request_hash, 8) = left(b.hash, 8) AND s.request_hash = b.hash LIMIT 1),
  (SELECT true FROM messages m WHERE m.workspace_id = $1 AND m.content ? 'blob' AND m.content ->> 'blob' = b.hash LIMIT 1), false)`;

type Blob = { hash: string; bytes: number; isNamed: boolean };

/** Large values that something names, and the hashes of those that nothing names any more. */
export async function measureBlobs(
  workspaceId: string,
  signal: AbortSignal,
): Promise<{ values: Sum; leftovers: Sum; unnamed: string[] }> {
  const pace = new Pace(100, 2_000);
  const values = { items: 0, bytes: 0 };
  const leftovers = { items: 0, bytes: 0 };
  const unnamed: string[] = [];
  let after = "";
  for (;;) {
    signal.throwIfAborted();
    const page = await pace.time(() => readPage(workspaceId, after, pace.size));
    const last = page.at(-1);
    if (!last) return { values, leftovers, unnamed };
    for (const { hash, bytes, isNamed } of page) {
      const sum = isNamed ? values : leftovers;
      sum.items += 1;
      sum.bytes += bytes;
      if (!isNamed) unnamed.push(hash);
    }
    after = last.hash;
  }
}

async function readPage(workspaceId: string, after: string, size: number): Promise<Blob[]> {
  return inTransaction(async (client) => {
    await lookUpByIndex(client);
    const { rows } = await client.query<Blob>(
      `SELECT b.hash, b.bytes, ${IS_NAMED} AS "isNamed" FROM (
       SELECT hash, sum(pg_column_size(content) + 240)::float8 AS bytes FROM blobs
       WHERE workspace_id = $1 AND hash > $2 GROUP BY hash ORDER BY hash LIMIT $3) b ORDER BY b.hash`,
      [workspaceId, after, size],
    );
    return rows;
  });
}

/** Where statistics are missing or old, Postgres would rather read whole tables for each hash. Until the transaction ends. */
async function lookUpByIndex(client: pg.ClientBase): Promise<void> {
  await client.query("SET LOCAL enable_seqscan = off");
}

/**
 * Removes blobs that nothing names (ADR 013). A run may store the same value again at any moment, which changes no row, and
 * name it in the same transaction. So the table is locked against writers first: whoever stored something has then committed
 * what names it, and whoever comes later finds the value gone and stores it anew. Returns what was removed.
 */
export async function sweepBlobs(workspaceId: string, hashes: readonly string[], signal: AbortSignal): Promise<Sum> {
  const swept = { items: 0, bytes: 0 };
  for (let from = 0; from < hashes.length; from += BLOBS_A_SWEEP) {
    signal.throwIfAborted();
    const batch = hashes.slice(from, from + BLOBS_A_SWEEP);
    const gone = await inTransaction(async (client) => {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
      await lookUpByIndex(client);
      await client.query("LOCK TABLE blobs IN SHARE ROW EXCLUSIVE MODE");
      const { rows } = await client.query<{ hash: string; bytes: number }>(
        `DELETE FROM blobs b WHERE b.workspace_id = $1 AND b.hash = ANY($2::text[]) AND NOT ${IS_NAMED}
         RETURNING b.hash, pg_column_size(b.content) + 240 AS bytes`,
        [workspaceId, batch],
      );
      return rows;
    });
    swept.items += new Set(gone.map(({ hash }) => hash)).size;
    swept.bytes += gone.reduce((sum, { bytes }) => sum + bytes, 0);
  }
  return swept;
}
