import { exec } from "node:child_process";
import { promisify } from "node:util";
import type { FreshDatabase } from "./databases";
import type { EmbeddedDatabase } from "./embedded-database";

type AnyDatabase = FreshDatabase & Partial<EmbeddedDatabase>;

/**
 * Tells the server of TEST_DATABASE_URL something, as `tests/support/real-postgres` understands it. TEST_DATABASE_SERVER
 * is the command; without it the server is not ours to crash, and this returns null.
 */
export async function tellServer(order: string): Promise<string | null> {
  const command = process.env.TEST_DATABASE_SERVER;
  if (!command) return null;
  const { stdout } = await promisify(exec)(`${command} ${order}`);
  return stdout.trim();
}

/** Ends the database process without warning. A real Postgres stays up where it is not ours. */
export async function haltDatabase(database: AnyDatabase): Promise<void> {
  if (database.kill) await database.kill();
  else await tellServer("halt");
}

/** Starts it again. */
export async function startDatabase(database: AnyDatabase): Promise<void> {
  if (database.restart) await database.restart();
  else await tellServer("start");
}

export async function crashDatabase(database: AnyDatabase): Promise<void> {
  if (database.kill) {
    await haltDatabase(database);
    await startDatabase(database);
  } else await tellServer("crash");
}
