import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { codeOf, LauncherError } from "./launcher-error";
import type { Processes } from "./processes";
import { root } from "./settings";

interface Applied {
  name: string;
  finished: boolean;
}

/** Brings the database to this version's schema; asks Prisma only when something is missing. Throws LauncherError. */
export async function migrate(url: string, processes: Processes): Promise<{ applied: number }> {
  const pending = await pendingMigrations(url);
  if (pending.length === 0) return { applied: 0 };
  const { code, output } = await processes.run(
    { args: [join(root, "node_modules/prisma/build/index.js"), "migrate", "deploy"], env: { DATABASE_URL: url } },
    { captured: true },
  );
  if (code === 0) return { applied: pending.length };
  if (output.includes("P3005")) {
    throw new LauncherError(
      "The database already holds tables of something else. Give Troupe an empty database of its own.",
    );
  }
  throw new LauncherError(
    `The database could not be migrated: ${firstError(output)}. Remove the cause and start again; what is in the database was left as it is.`,
  );
}

/** For processes that must not migrate. Throws LauncherError when the database is behind. */
export async function assertMigrated(url: string): Promise<void> {
  const pending = await pendingMigrations(url);
  if (pending.length === 0) return;
  throw new LauncherError(
    "The database is not migrated to this version. Run `npm start` with the same DATABASE_URL once, then start the worker again.",
  );
}

async function pendingMigrations(url: string): Promise<string[]> {
  return (await readMigrations(url)).pending;
}

/** Which migrations the database has and which it lacks. Throws LauncherError when it belongs to a newer Troupe. */
export async function readMigrations(url: string): Promise<{ applied: string[]; pending: string[] }> {
  const folder = join(root, "prisma/migrations");
  const known = readdirSync(folder).filter((name) => existsSync(join(folder, name, "migration.sql")));
  const applied = await appliedMigrations(url);
  const newer = applied.find(({ name, finished }) => finished && !known.includes(name));
  if (newer) {
    throw new LauncherError(
      `The database belongs to a newer Troupe (it has the migration ${newer.name}). Update Troupe, or use another database.`,
    );
  }
  const done = new Set(applied.filter(({ finished }) => finished).map(({ name }) => name));
  return { applied: [...done], pending: known.filter((name) => !done.has(name)) };
}

async function appliedMigrations(url: string): Promise<Applied[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Each file runs as one transaction: a failed one has left nothing and may be tried again.
    await client.query(
      "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL",
    );
    const { rows } = await client.query<Applied>(
      "SELECT migration_name AS name, finished_at IS NOT NULL AND rolled_back_at IS NULL AS finished FROM _prisma_migrations",
    );
    return rows;
  } catch (error) {
    if (codeOf(error) === "42P01") return [];
    throw error;
  } finally {
    await client.end();
  }
}

/** Prisma prints a page; the database's own sentence in it is what helps. */
function firstError(output: string): string {
  const reason = /ERROR:\s*(\S.*)/.exec(output) ?? /Error:\s*(\S.*)/.exec(output) ?? /(\S.*)\s*$/.exec(output);
  return (reason?.[1] ?? "unknown reason").replace(/\.$/, "");
}
