import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { judgeDisk, sizeWords } from "../rules";
import { type Examined, type Finding, fact } from "./examined";

const LARGEST_TABLES = 5;

/** Space where the data directory is, and what takes it. The largest tables are told when the database answers. */
export async function checkDisk({ dataDirectory, database }: Examined): Promise<Finding> {
  const tables = "pool" in database ? await largestTables(database.pool).catch(() => []) : [];
  if (!dataDirectory) {
    const says = "This process was not started by the launcher, so it does not know its data directory.";
    return { state: "unknown", says, facts: tables };
  }
  const { bavail, blocks, bsize } = await statfs(dataDirectory);
  const space = { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  const [files, backups] = await Promise.all([
    sizeOf(join(dataDirectory, "database")),
    sizeOf(join(dataDirectory, "backups")),
  ]);
  const facts = [
    fact("Free", `${sizeWords(space.freeBytes)} of ${sizeWords(space.totalBytes)}`),
    ...(files > 0 ? [fact("Embedded database", sizeWords(files))] : []),
    fact("Backups", sizeWords(backups)),
    ...tables,
  ];
  const state = judgeDisk(space);
  const free = `${sizeWords(space.freeBytes)} free (${((space.freeBytes / space.totalBytes) * 100).toFixed(0)} %).`;
  if (state === "ok") return { state, says: free, facts };
  return {
    state,
    says: state === "problem" ? `The disk is nearly full: ${free}` : `The disk fills up: ${free}`,
    advice: "Free some space: delete old backups, set under Usage how long runs are kept, or enlarge the disk.",
    facts,
  };
}

async function largestTables(pool: pg.Pool): Promise<Finding["facts"] & object> {
  const { rows } = await pool.query<{ name: string; bytes: string }>(
    `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'dbos'))
     ORDER BY 2 DESC LIMIT $1`,
    [LARGEST_TABLES],
  );
  return rows.map(({ name, bytes }) => fact(`Table ${name}`, sizeWords(Number(bytes))));
}

/** Bytes of all files below a directory; files that go meanwhile count for nothing. */
async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
