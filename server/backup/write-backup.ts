import { createHash } from "node:crypto";
import pg, { escapeIdentifier } from "pg";
import { keyFingerprint } from "@/server/secrets/secrets-key";
import { BackupError } from "./backup-error";
import { type BackupReason, FORMAT, type Manifest, rowsOf } from "./manifest";
import { fixTextForms, readTables, type Table, tableChecksum } from "./tables";

export type Progress = (rowsDone: number, rowsTotal: number) => void;

/** Rows are fetched in portions of about this size, in characters of their text. */
const PORTION = 4_000_000;
const MOST_ROWS_AT_ONCE = 2_000;

export type BackupSource = {
  databaseUrl: string;
  reason: BackupReason;
  /** SECRETS_KEY of this installation; a backup that holds anything sealed keeps its fingerprint. */
  secretsKey: string | null;
  onManifest?: (manifest: Manifest) => void;
  onProgress?: Progress;
  signal?: AbortSignal;
};

/**
 * The lines of a backup, as bytes. All of it is one snapshot of a database that goes on working: on Postgres nobody
 * waits for it, on the embedded database everybody does, since that serves one transaction at a time.
 */
export async function* backupBytes(source: BackupSource): AsyncGenerator<Buffer> {
  const client = new pg.Client({ connectionString: source.databaseUrl });
  // A connection that dies makes the running query fail, which is enough.
  client.on("error", () => {});
  await client.connect();
  const hash = createHash("sha256");
  const line = (value: unknown) => {
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    hash.update(bytes);
    return bytes;
  };
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await fixTextForms(client);
    const tables = await readTables(client);
    const manifest = await writeManifest(client, tables, source);
    source.onManifest?.(manifest);
    yield line(manifest);
    const total = rowsOf(manifest);
    let done = 0;
    for (const table of tables) {
      yield line({ table: table.name });
      for await (const rows of portions(client, table)) {
        source.signal?.throwIfAborted();
        yield Buffer.concat(rows.map(line));
        done += rows.length;
        source.onProgress?.(done, total);
      }
    }
    yield Buffer.from(`${JSON.stringify({ end: { sha256: hash.digest("hex") } })}\n`);
  } finally {
    // Ends the transaction as well.
    await client.end().catch(() => {});
  }
}

async function writeManifest(
  client: pg.Client,
  tables: readonly Table[],
  { reason, secretsKey }: BackupSource,
): Promise<Manifest> {
  const { rows: migrations } = await client.query<Manifest["migrations"][number]>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
  );
  if (migrations.length === 0) throw new BackupError("This database holds no Troupe yet: there is nothing to back up.");
  const { rows } = await client.query<{ now: Date }>("SELECT now() AS now");
  const entries: Manifest["tables"] = [];
  for (const { name, columns } of tables) {
    const names = columns.map((column) => column.name);
    entries.push({ name, columns: names, ...(await tableChecksum(client, { name, columns: names })) });
  }
  return {
    troupeBackup: FORMAT,
    takenAt: rows[0]?.now ?? new Date(),
    reason,
    migrations,
    keyFingerprint: secretsKey && (await holdsSealed(client, tables)) ? keyFingerprint(secretsKey) : null,
    tables: entries,
  };
}

/** Without any stored key, nobody needs the secrets key to restore. */
async function holdsSealed(client: pg.Client, tables: readonly Table[]): Promise<boolean> {
  for (const { name, columns } of tables) {
    for (const { name: column } of columns.filter((one) => one.name.endsWith("_sealed"))) {
      const { rowCount } = await client.query(
        `SELECT FROM ${escapeIdentifier(name)} WHERE ${escapeIdentifier(column)} IS NOT NULL LIMIT 1`,
      );
      if (rowCount) return true;
    }
  }
  return false;
}

/** The rows of a table as texts, a few megabytes at a time. */
async function* portions(client: pg.Client, { name, columns, key }: Table): AsyncGenerator<(string | null)[][]> {
  const texts = columns.map((column) => `${escapeIdentifier(column.name)}::text`).join(", ");
  const order = key.length ? ` ORDER BY ${key.map(escapeIdentifier).join(", ")}` : "";
  await client.query(`DECLARE backup_rows NO SCROLL CURSOR FOR SELECT ${texts} FROM ${escapeIdentifier(name)}${order}`);
  // Small at first: a row of an uploaded file is two megabytes of text.
  let count = 8;
  for (;;) {
    const { rows } = await client.query<(string | null)[]>({
      text: `FETCH ${count} FROM backup_rows`,
      rowMode: "array",
    });
    if (rows.length === 0) break;
    yield rows;
    const characters = rows.reduce((sum, row) => sum + row.reduce((all, text) => all + (text?.length ?? 0), 0), 0);
    const fitting = Math.floor(PORTION / Math.max(1, characters / rows.length));
    count = Math.min(Math.max(1, fitting), MOST_ROWS_AT_ONCE, count * 8);
  }
  await client.query("CLOSE backup_rows");
}
