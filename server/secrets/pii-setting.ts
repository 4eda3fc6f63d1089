import type pg from "pg";
import { pool } from "@/server/db";
import { type Redact, redactPii } from "./pii";

/** What comes in is changed by nothing. */
const asItIs: Redact = (value) => value;

/** What a workspace wants done with whatever comes in (LLM-PROV-16): nothing, or that personal data is taken out. */
export async function redactionOf(workspaceId: string, from: Pick<pg.Pool, "query"> = pool()): Promise<Redact> {
  const { rows } = await from.query<{ on: boolean }>("SELECT redacts_pii AS on FROM workspaces WHERE id = $1", [
    workspaceId,
  ]);
  return rows[0]?.on ? redactPii : asItIs;
}

/** Null: nothing is to be taken out. */
export type FindRedaction = (workspaceId: string) => Promise<Redact | null>;

/** How long a worker goes by what it read: so soon does a change count for runs under way, in milliseconds. */
const KEPT_MS = 2_000;

/** As `redactionOf`, for what is asked at each call of a model or tool. */
export function keptRedaction(from: Pick<pg.Pool, "query">, keptMs = KEPT_MS): FindRedaction {
  const kept = new Map<string, { until: number; found: Promise<Redact | null> }>();
  return (workspaceId) => {
    const now = performance.now();
    const known = kept.get(workspaceId);
    if (known && known.until > now) return known.found;
    const found = redactionOf(workspaceId, from)
      .then((redact) => (redact === asItIs ? null : redact))
      .catch((error: unknown) => {
        // While the database is away it is as it was. Never asked is not "off": then the call fails.
        if (known) return known.found;
        kept.delete(workspaceId);
        throw error;
      });
    kept.set(workspaceId, { until: now + keptMs, found });
    return found;
  };
}
