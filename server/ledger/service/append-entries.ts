import type pg from "pg";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { type Entry, GENESIS, hashOfEntry } from "../queries/chain";

export type NewEntry = Pick<Entry, "kind" | "subjectId"> & Partial<Pick<Entry, "digest" | "events" | "byId">>;

/**
 * Appends entries to the workspace's ledger in the transaction of what they tell of, so that neither is there without the other. Whoever
 * appends holds the ledger's head until then: the last thing to do in a transaction.
 */
export async function appendEntries(
  client: pg.ClientBase,
  workspaceId: WorkspaceId,
  entries: readonly NewEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await client.query("INSERT INTO ledger_heads (workspace_id, seq, hash) VALUES ($1, 0, $2) ON CONFLICT DO NOTHING", [
    workspaceId,
    GENESIS,
  ]);
  const { rows } = await client.query<{ seq: number; hash: string; at: string }>(
    "SELECT seq, hash, iso(clock_timestamp()) AS at FROM ledger_heads WHERE workspace_id = $1 FOR NO KEY UPDATE",
    [workspaceId],
  );
  let { seq, hash, at } = rows[0] ?? { seq: 0, hash: GENESIS, at: "" };
  const written = entries.map(({ kind, subjectId, digest = null, events = null, byId = null }) => {
    seq += 1;
    const entry: Entry = { workspaceId, seq, kind, subjectId, digest, events, byId, at, previousHash: hash };
    hash = hashOfEntry(entry);
    return { ...entry, hash };
  });
  await client.query(
    `INSERT INTO ledger_entries (workspace_id, seq, kind, subject_id, digest, events, by_id, at, previous_hash, hash)
     SELECT $1, x.seq, x.kind, x."subjectId", x.digest, x.events, x."byId", x.at, x."previousHash", x.hash
     FROM json_to_recordset($2::json) AS x(seq int, kind text, "subjectId" uuid, digest text, events int, "byId" uuid, at timestamptz,
       "previousHash" text, hash text)`,
    [workspaceId, JSON.stringify(written)],
  );
  await client.query("UPDATE ledger_heads SET seq = $2, hash = $3 WHERE workspace_id = $1", [workspaceId, seq, hash]);
}
