import { afterAll, beforeAll } from "vitest";
import { closeDb } from "@/server/db";
import { env } from "@/server/env";
import { closeListener } from "@/server/runs/listener";
import { type DatabaseKind, type FreshDatabase, freshDatabase } from "./databases";

/** Points the product at a fresh database of its own for the tests of this block. */
export function useDatabase(kind: DatabaseKind): () => FreshDatabase {
  let database: FreshDatabase | undefined;
  beforeAll(async () => {
    database = await freshDatabase(kind);
    process.env.DATABASE_URL = database.url;
    // Parsed once a process, and a file tests several kinds.
    env().DATABASE_URL = database.url;
  });
  afterAll(async () => {
    await closeListener();
    await closeDb();
    await database?.stop();
  });
  return () => {
    if (!database) throw new Error("The database is not ready yet.");
    return database;
  };
}
