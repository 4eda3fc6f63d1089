import { checkChain } from "@/server/ledger/queries/check-chain";
import { countWords } from "../rules";
import { type Finding, fact, type WithDatabase } from "./examined";

/** A52: what was written down of runs for good, of every workspace, from its first entry to its last. */
export async function checkLedger({ pool }: WithDatabase): Promise<Finding> {
  const { rows } = await pool.query<{ id: string; name: string; unsealed: string }>(
    `SELECT w.id, w.name, (SELECT count(*) FROM runs r WHERE r.workspace_id = w.id AND r.finished_at < now() - interval '1 hour'
         AND r.removing_at IS NULL AND NOT EXISTS (
           SELECT FROM ledger_entries e WHERE e.workspace_id = w.id AND e.subject_id = r.id AND e.kind = 'run.sealed')) AS unsealed
     FROM workspaces w ORDER BY w.name, w.id`,
  );
  const found: { name: string; entries: number; problems: string[] }[] = [];
  for (const { id, name } of rows) found.push({ name, ...(await checkChain(pool, id)) });
  const entries = found.reduce((sum, one) => sum + one.entries, 0);
  const unsealed = rows.reduce((sum, one) => sum + Number(one.unsealed), 0);
  const wrong = found.flatMap(({ name, problems }) => problems.map((problem) => fact(name, problem)));
  const facts = [fact("Entries", entries), fact("Ended runs without a seal yet", unsealed), ...wrong];
  if (wrong.length > 0) {
    return {
      state: "problem",
      says: `${countWords(wrong.length, "thing")} in the ledger of runs changed without the product.`,
      advice: "Somebody changed the database by hand, or restored part of it. Compare with a backup from before.",
      facts,
    };
  }
  if (entries === 0) return { state: "ok", says: "Nothing is written in the ledger of runs yet.", facts };
  return {
    state: "ok",
    says: `All ${countWords(entries, "entry", "entries")} in the ledger of runs follow each other.`,
    facts,
  };
}
