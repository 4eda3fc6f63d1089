import { afterAll, beforeAll } from "vitest";
import { closeDb } from "@/server/db";
import { type Env, env } from "@/server/env";
import { closeListener } from "@/server/runs/listener";
import { type DatabaseKind, type FreshDatabase, freshDatabase } from "./databases";

/**
 * Points the product's modules at a fresh database, with these settings beside it. Files share a process, so `leave` puts
 * everything back.
 */
export async function enterDatabase(
  kind: DatabaseKind,
  settings: Partial<Env> = {},
): Promise<{ database: FreshDatabase; leave: () => Promise<void> }> {
  const database = await freshDatabase(kind);
  // Somebody who came late may have opened a pool on the database before this one.
  await closeDb();
  process.env.DATABASE_URL = database.url;
  // Parsed once a process.
  const before = env();
  const kept = Object.keys(settings).map((name) => [name, before[name as keyof Env]]);
  Object.assign(env(), settings, { DATABASE_URL: database.url });
  return {
    database,
    leave: async () => {
      await closeListener();
      await closeDb();
      Object.assign(env(), Object.fromEntries(kept));
      await database.stop();
    },
  };
}

/** Points the product at a fresh database of its own for the tests of this block. */
export function useDatabase(kind: DatabaseKind): () => FreshDatabase {
  let entered: Awaited<ReturnType<typeof enterDatabase>> | undefined;
  beforeAll(async () => {
    entered = await enterDatabase(kind);
  });
  afterAll(() => entered?.leave());
  return () => {
    if (!entered) throw new Error("The database is not ready yet.");
    return entered.database;
  };
}
