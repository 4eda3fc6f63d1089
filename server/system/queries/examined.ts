import type pg from "pg";
import type { Check, CheckId, CheckState } from "../schema";

/** The installation as the doctor meets it: the web server's own, or the one a command was pointed at. */
export type Examined = {
  /** A pool, or the sentence that says why there is none. */
  database: { pool: pg.Pool } | { problem: string; advice: string | null };
  /** Whether the product runs; null when only its database could tell. */
  isRunning: boolean | null;
  /** Absolute; undefined for a process that no launcher started. */
  dataDirectory: string | undefined;
  secretsKey: string | undefined;
  /** Holds prisma/migrations and package.json. */
  root: string;
};

/** An examined installation whose database answers. */
export type WithDatabase = Examined & { pool: pg.Pool };

export type Finding = { state: CheckState; says: string; advice?: string | null; facts?: Check["facts"] };

export const TITLES: Record<CheckId, string> = {
  versions: "Versions",
  database: "Database",
  pgvector: "pgvector",
  workers: "Workers",
  queue: "Queue",
  runs: "Runs",
  "failed-calls": "Failed calls",
  ledger: "Records of runs",
  disk: "Disk",
  "data-directory": "Data directory",
  backup: "Backups",
  clock: "Clock",
  providers: "Model providers",
  "tool-servers": "Tool servers",
  tracing: "Traces",
  webhooks: "Webhooks",
};

export const fact = (label: string, value: string | number) => ({ label, value: String(value) });

export function toCheck(id: CheckId, { state, says, advice = null, facts = [] }: Finding): Check {
  return { id, title: TITLES[id], state, says, advice, facts };
}
