import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg, { escapeIdentifier, escapeLiteral } from "pg";
import { codeOf, reasonOf } from "@/server/launcher/launcher-error";
import { root } from "@/server/launcher/settings";
import { BackupError } from "./backup-error";
import { emptyDatabase } from "./empty-database";
import { type Manifest, rowsOf } from "./manifest";
import { type Portion, readBackup } from "./read-backup";
import { fixTextForms, readTables, type Table, tableChecksum } from "./tables";
import type { Progress } from "./write-backup";

export type Restore = {
  /** The backup file. */
  path: string;
  /** Its name, kept in the installation's row. */
  name: string;
  /** A database that Troupe has migrated and nobody else uses now. Whatever is in it goes. */
  databaseUrl: string;
  /** Runs in flight go on where they were. Only right when nothing of the original goes on as well (F31). */
  continueRuns: boolean;
  /** Clear every sealed value, because the key they were sealed with is lost. */
  forgetSecrets: boolean;
  onProgress?: Progress;
};

/**
 * Makes a database what a backup holds, in one transaction: until the last row is there and every table's checksum is
 * right, the database is as it was. The schema is that of the backup; the caller migrates it to this version's then.
 * Unless `continueRuns`, runs in flight are shown as interrupted: what the original did after the backup is not known
 * here, so nothing may act on it again. Throws BackupError.
 */
export async function restoreBackup(restore: Restore): Promise<Manifest> {
  const client = new pg.Client({ connectionString: restore.databaseUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("SET LOCAL lock_timeout = '10s'");
    await fixTextForms(client);
    const manifest = await load(client, restore);
    if (restore.forgetSecrets) await forgetSecrets(client, manifest);
    if (!restore.continueRuns) await interruptRuns(client, manifest.takenAt);
    await noteRestore(client, restore.name);
    await client.query("COMMIT");
    return manifest;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    if (error instanceof BackupError) throw error;
    if (codeOf(error) === "55P03") {
      throw new BackupError(
        "Something else uses the database. Stop every worker and other program connected to it, then restore again. Nothing was changed.",
      );
    }
    throw new BackupError(`The backup could not be restored: ${reasonOf(error)}. Nothing was changed.`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => {});
  }
}

async function load(client: pg.Client, { path, onProgress }: Restore): Promise<Manifest> {
  let manifest: Manifest | undefined;
  let target: Target | undefined;
  let done = 0;
  const portions = readBackup(path, (told) => {
    manifest = told;
  });
  for await (const portion of portions) {
    if (!manifest) break;
    target ??= await prepare(client, manifest);
    await insert(client, target, portion);
    done += portion.rows.length;
    onProgress?.(done, rowsOf(manifest));
  }
  if (!manifest) throw new BackupError("The file is empty. Choose a backup.");
  target ??= await prepare(client, manifest);
  for (const { table, name, definition } of target.foreignKeys) {
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${escapeIdentifier(name)} ${definition}`);
  }
  await verify(client, manifest);
  return manifest;
}

type Target = {
  tables: Map<string, Table>;
  /** Taken away while rows come in whatever order; each is checked as a whole when it is put back. */
  foreignKeys: { table: string; name: string; definition: string }[];
};

/** Empties the database and gives it the schema of the backup. */
async function prepare(client: pg.Client, manifest: Manifest): Promise<Target> {
  const scripts = manifest.migrations.map(readMigration);
  await emptyDatabase(client);
  for (const sql of scripts) await client.query(sql);
  await recordMigrations(client, manifest);
  const tables = new Map((await readTables(client)).map((table) => [table.name, table]));
  for (const { name, columns } of manifest.tables) {
    const known = tables.get(name)?.columns.map((column) => column.name);
    if (!known || columns.some((column) => !known.includes(column))) {
      throw new BackupError(`The table ${name} of this backup does not fit its migrations. Use another copy.`);
    }
  }
  const { rows: foreignKeys } = await client.query<Target["foreignKeys"][number]>(
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of foreignKeys) {
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${escapeIdentifier(name)}`);
  }
  // Some migrations begin with a row of their own.
  for (const name of tables.keys()) await client.query(`DELETE FROM ${escapeIdentifier(name)}`);
  return { tables, foreignKeys };
}

function readMigration({ name, checksum }: Manifest["migrations"][number]): string {
  const file = join(root, "prisma/migrations", name, "migration.sql");
  if (!/^\w+$/.test(name) || !existsSync(file)) {
    throw new BackupError(
      `This backup was made by a newer Troupe (it has the migration ${name}). Update Troupe first.`,
    );
  }
  const sql = readFileSync(file, "utf8");
  if (createHash("sha256").update(sql).digest("hex") !== checksum) {
    throw new BackupError(`This backup was made by a different build of Troupe (the migration ${name} differs).`);
  }
  return sql;
}

async function recordMigrations(client: pg.Client, { migrations }: Manifest): Promise<void> {
  await client.query("DELETE FROM _prisma_migrations");
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
     SELECT gen_random_uuid()::text, checksum, now(), name, now(), 1 FROM json_to_recordset($1) AS m(name text, checksum text)`,
    [JSON.stringify(migrations)],
  );
}

async function insert(client: pg.Client, { tables }: Target, { table, rows }: Portion): Promise<void> {
  const types = new Map(tables.get(table.name)?.columns.map(({ name, type }) => [name, type]));
  const names = table.columns.map(escapeIdentifier).join(", ");
  const values = table.columns.map((name, i) => `v${i}::${types.get(name)}`).join(", ");
  const parameters = table.columns.map((_, i) => `$${i + 1}::text[]`).join(", ");
  const aliases = table.columns.map((_, i) => `v${i}`).join(", ");
  await client.query(
    `INSERT INTO ${escapeIdentifier(table.name)} (${names}) SELECT ${values} FROM unnest(${parameters}) AS u(${aliases})`,
    table.columns.map((_, i) => rows.map((row) => row[i] ?? null)),
  );
}

async function verify(client: pg.Client, { tables }: Manifest): Promise<void> {
  for (const { name, columns, rows, checksum } of tables) {
    const found = await tableChecksum(client, { name, columns });
    if (found.rows === rows && found.checksum === checksum) continue;
    throw new BackupError(`The rows of the table ${name} are not those that were backed up. Nothing was changed.`);
  }
}

const SEALED = {
  providers: "api_key_sealed = NULL, api_key_hint = NULL",
  tool_servers: "secret_sealed = NULL, secret_names = '[]'",
};

/** Sealed values cannot be opened without the key they were sealed with: their owners enter them again. */
async function forgetSecrets(client: pg.Client, { tables }: Manifest): Promise<void> {
  for (const [table, cleared] of Object.entries(SEALED)) {
    // The first release had neither of the two.
    if (tables.some(({ name }) => name === table)) await client.query(`UPDATE ${table} SET ${cleared}`);
  }
}

async function interruptRuns(client: pg.Client, takenAt: Date): Promise<void> {
  const reason = `restored from a backup of ${takenAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  // Each root takes what works below it along.
  await client.query(
    `DO $do$ DECLARE v_id uuid; BEGIN
       FOR v_id IN SELECT id FROM agent_runs WHERE parent_id IS NULL AND status IN ('queued', 'running', 'waiting') ORDER BY id LOOP
         PERFORM interrupt_agent_run(v_id, ${escapeLiteral(reason)});
       END LOOP;
     END $do$`,
  );
}

/** Backups of older versions have no such table; for them the file's name in the log must do. */
async function noteRestore(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query("SELECT to_regclass('public.installation') AS found");
  if (rows[0]?.found) await client.query("UPDATE installation SET restored_from = $1, restored_at = now()", [name]);
}
