import type pg from "pg";
import { logger } from "@/server/logger";

/**
 * AGT-RES-14: a line in the log when more calls failed for good than somebody has looked at. Of several workers one says it.
 * Resolves with how many are open now, for the next look.
 */
export async function warnOfFailedCalls(pool: pg.Pool, workerId: string, before: number): Promise<number> {
  const { rows } = await pool.query<{ open: number; first: boolean }>({
    name: "open_dead_letters",
    text: `select count(*)::int as open, $1 = (select min(id) from workers) as first from dead_letters where status = 'open'`,
    values: [workerId],
  });
  const { open = 0, first = false } = rows[0] ?? {};
  if (open > before && first) {
    logger.warn({ open, more: open - before }, "calls failed for good and nobody has looked at them: see Dead letters");
  }
  return open;
}
