import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { removeBundles } from "./bundled";
import { type EmbeddedDatabase, freshEmbeddedDatabase, testDirectory } from "./embedded-database";
import { dropLeftovers, freshPostgresDatabase } from "./postgres-database";

/** The kinds to run a database test on: always the embedded one, and a real Postgres where TEST_DATABASE_URL names one. */
export type DatabaseKind = "embedded" | "postgres";
export const DATABASE_KINDS: DatabaseKind[] = process.env.TEST_DATABASE_URL ? ["embedded", "postgres"] : ["embedded"];

export interface FreshDatabase {
  url: string;
  stop(): Promise<void>;
}

/** A migrated database without rows. The embedded one is a process of its own that can be killed and restarted. */
export function freshDatabase(kind: "embedded", place?: Place): Promise<EmbeddedDatabase>;
export function freshDatabase(kind: DatabaseKind, place?: Place): Promise<FreshDatabase>;
export function freshDatabase(kind: DatabaseKind, place?: Place): Promise<FreshDatabase> {
  return kind === "embedded" ? freshEmbeddedDatabase(place) : freshPostgresDatabase(place);
}

/** A directory that exists and is empty: the database's files go there instead of where they usually are. */
type Place = { directory?: string };

/** Vitest's global setup. Templates are made on first use; here is only what must be cleaned up when a test forgot. */
export default function setup(): () => Promise<void> {
  process.env.TROUPE_TEST_RUN = randomBytes(4).toString("hex");
  return async () => {
    await dropLeftovers();
    await removeBundles();
    await rm(testDirectory(), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
}
