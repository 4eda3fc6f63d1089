import type { Reader } from "@/server/transaction";
import type { ChainState } from "../schema";
import { ChainCheck } from "./chain";
import { ENTRY_COLUMNS, type EntryRow, toEntry } from "./entry-row";

const ENTRIES_A_READ = 2_000;
/** Of runs that are gone; the rest is counted. */
const MOST_NAMED = 5;

/** Reads a workspace's ledger from its first entry to its last: whether the chain holds, and whether a sealed run went without a word. */
export async function checkChain(reader: Reader, workspaceId: string): Promise<ChainState> {
  const checking = new ChainCheck();
  const problems: string[] = [];
  let entries = 0;
  for (let after = 0; ; ) {
    const { rows } = await reader.query<EntryRow>(
      `SELECT ${ENTRY_COLUMNS} FROM ledger_entries e WHERE e.workspace_id = $1 AND e.seq > $2 ORDER BY e.seq LIMIT $3`,
      [workspaceId, after, ENTRIES_A_READ],
    );
    entries += rows.length;
    for (const row of rows) {
      const why = problems.length === 0 ? checking.take(toEntry(workspaceId, row)) : null;
      if (why) problems.push(why);
    }
    after = rows.at(-1)?.seq ?? after;
    if (rows.length < ENTRIES_A_READ) break;
  }
  const { rows: heads } = await reader.query<{ seq: number; hash: string }>(
    "SELECT seq, hash FROM ledger_heads WHERE workspace_id = $1",
    [workspaceId],
  );
  const why = problems.length === 0 ? checking.end(heads[0] ?? null) : null;
  if (why) problems.push(why);
  problems.push(...(await findLost(reader, workspaceId)));
  return { entries, problems };
}

/** Sealed runs that are not there any more, though nobody removed them. */
async function findLost(reader: Reader, workspaceId: string): Promise<string[]> {
  const { rows } = await reader.query<{ id: string; total: number }>(
    `SELECT e.subject_id AS id, (count(*) OVER ())::int AS total FROM ledger_entries e
     WHERE e.workspace_id = $1 AND e.kind = 'run.sealed'
       AND NOT EXISTS (SELECT FROM runs r WHERE r.workspace_id = $1 AND r.id = e.subject_id)
       AND NOT EXISTS (SELECT FROM ledger_entries g WHERE g.workspace_id = $1 AND g.subject_id = e.subject_id AND g.kind <> 'run.sealed')
     ORDER BY e.seq LIMIT $2`,
    [workspaceId, MOST_NAMED],
  );
  const [first] = rows;
  if (!first) return [];
  const named = rows.map(({ id }) => id).join(", ");
  const more = first.total > rows.length ? ` and ${first.total - rows.length} more` : "";
  return [`Deleted without the product: ${first.total === 1 ? "run" : "runs"} ${named}${more}.`];
}
