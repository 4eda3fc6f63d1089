import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { codeOf, reasonOf } from "@/server/launcher/launcher-error";
import { BackupError } from "./backup-error";
import { endLine, FORMAT, type Manifest, manifest, rowLine, type TableEntry, tableLine } from "./manifest";

/** Rows are handed over in portions of about this size, in bytes. */
const PORTION_BYTES = 4_000_000;
/** No row is longer: the largest column is one megabyte, written as twice as many digits. */
const LONGEST_LINE_BYTES = 64_000_000;

export type Portion = { table: TableEntry; rows: (string | null)[][] };

const NO_BACKUP = "This file is not a Troupe backup. Choose one that `npm run backup` or the page System wrote.";
const DAMAGED = "The file is damaged or was cut off";

/** First line of a backup. Throws BackupError when the file is none. */
export async function readManifest(path: string): Promise<Manifest> {
  for await (const bytes of linesOf(path)) return parseManifest(bytes);
  throw new BackupError("The file is empty. Choose a backup.");
}

/**
 * Reads a backup to its end: first its manifest through `onManifest`, then its rows in portions, table by table. Throws
 * BackupError when it is no backup, damaged, cut off, or holds other rows than its manifest says.
 */
export async function* readBackup(path: string, onManifest: (manifest: Manifest) => void): AsyncGenerator<Portion> {
  const hash = createHash("sha256");
  let told: Manifest | undefined;
  let table: TableEntry | undefined;
  let rows: Portion["rows"] = [];
  let bytesOfRows = 0;
  let ended = false;
  const left = new Map<string, number>();

  function take(): Portion | undefined {
    if (!table || rows.length === 0) return undefined;
    const portion = { table, rows };
    left.set(table.name, (left.get(table.name) ?? 0) - rows.length);
    [rows, bytesOfRows] = [[], 0];
    return portion;
  }

  for await (const bytes of linesOf(path)) {
    if (ended) throw new BackupError(`${DAMAGED}: something follows its end. Use another copy.`);
    if (!told) {
      told = parseManifest(bytes);
      for (const entry of told.tables) left.set(entry.name, entry.rows);
      onManifest(told);
      hash.update(bytes);
      continue;
    }
    const value = parseLine(bytes);
    if (Array.isArray(value)) {
      const row = rowLine.safeParse(value);
      if (!table || !row.success || row.data.length !== table.columns.length) {
        throw new BackupError(`${DAMAGED}: a row does not fit its table. Use another copy.`);
      }
      rows.push(row.data);
      bytesOfRows += bytes.byteLength;
      hash.update(bytes);
      if (bytesOfRows < PORTION_BYTES) continue;
      const portion = take();
      if (portion) yield portion;
      continue;
    }
    const portion = take();
    if (portion) yield portion;
    const end = endLine.safeParse(value);
    if (end.success) {
      if (end.data.end.sha256 !== hash.digest("hex")) {
        throw new BackupError(`${DAMAGED}: its contents do not match its checksum. Use another copy.`);
      }
      ended = true;
      continue;
    }
    const next = tableLine.safeParse(value);
    table = next.success ? told.tables.find(({ name }) => name === next.data.table) : undefined;
    if (!table) throw new BackupError(`${DAMAGED}: it has a part nobody announced. Use another copy.`);
    hash.update(bytes);
  }
  if (!told) throw new BackupError("The file is empty. Choose a backup.");
  if (!ended) throw new BackupError(`${DAMAGED}: its end is missing. Use another copy.`);
  const wrong = [...left].find(([, count]) => count !== 0);
  if (wrong) throw new BackupError(`${DAMAGED}: the table ${wrong[0]} has not the rows it should. Use another copy.`);
}

function parseManifest(bytes: Buffer): Manifest {
  const value = parseLine(bytes);
  const format =
    typeof value === "object" && value !== null && "troupeBackup" in value ? value.troupeBackup : undefined;
  if (typeof format === "number" && format > FORMAT) {
    throw new BackupError("This backup was made by a newer Troupe. Update Troupe, then restore it.");
  }
  const parsed = manifest.safeParse(value);
  if (!parsed.success) throw new BackupError(NO_BACKUP);
  return parsed.data;
}

function parseLine(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new BackupError(`${DAMAGED}: a line of it cannot be read. Use another copy.`);
  }
}

/** The unpacked lines of a file, each with its newline. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  const unpacked = new PassThrough();
  // Its failure reaches the loop below through `unpacked`.
  const reading = pipeline(createReadStream(path), createGunzip(), unpacked).catch((error: unknown) => error);
  let kept: Buffer[] = [];
  let keptBytes = 0;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        yield Buffer.concat([...kept, chunk.subarray(from, at + 1)]);
        [kept, keptBytes] = [[], 0];
        from = at + 1;
      }
      kept.push(chunk.subarray(from));
      keptBytes += chunk.byteLength - from;
      if (keptBytes > LONGEST_LINE_BYTES) throw new BackupError(NO_BACKUP);
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    if (codeOf(error) === "ENOENT") throw new BackupError(`There is no file ${path}.`);
    if (reasonOf(error) === "incorrect header check") throw new BackupError(NO_BACKUP);
    throw new BackupError(`${DAMAGED} (${reasonOf(error)}). Use another copy.`);
  } finally {
    unpacked.destroy();
    await reading;
  }
  if (keptBytes > 0) throw new BackupError(`${DAMAGED}: its end is missing. Use another copy.`);
}
