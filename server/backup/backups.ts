import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { codeOf, reasonOf } from "@/server/launcher/launcher-error";
import { BackupError } from "./backup-error";
import { type BackupReason, type Manifest, rowsOf } from "./manifest";
import { readBackup, readManifest } from "./read-backup";
import { type BackupSource, backupBytes, type Progress } from "./write-backup";

export type BackupSummary = {
  /** File name inside the folder of backups. */
  name: string;
  sizeBytes: number;
  takenAt: Date;
  reason: BackupReason;
  rows: number;
  /** The newest migration it holds. */
  migration: string;
  keyFingerprint: string | null;
  /** Why it cannot be restored; null when its first line is as it should be. */
  problem: string | null;
};

const ENDING = ".troupe-backup.gz";
const NAME = /^[\w.-]{1,120}\.troupe-backup\.gz$/;

export const backupsDirectory = (dataDirectory: string) => join(dataDirectory, "backups");

/** Where the backup of this name is. Throws BackupError for what cannot be the name of one. */
export function backupPath(dataDirectory: string, name: string): string {
  if (!NAME.test(name) || name.startsWith(".")) throw new BackupError(`“${name}” is not the name of a backup.`);
  return join(backupsDirectory(dataDirectory), name);
}

/** As in `2026-11-22-0503-manual.troupe-backup.gz`; a number is added where that is taken. */
export async function newBackupName(dataDirectory: string, reason: BackupReason, at = new Date()): Promise<string> {
  const stem = `${at.toISOString().slice(0, 16).replace("T", "-").replace(":", "")}-${reason}`;
  const taken = new Set(await namesIn(backupsDirectory(dataDirectory)));
  for (let n = 1; ; n++) {
    const name = `${stem}${n === 1 ? "" : `-${n}`}${ENDING}`;
    if (!taken.has(name)) return name;
  }
}

/** The backups kept in the data directory, newest first. */
export async function listBackups(dataDirectory: string): Promise<BackupSummary[]> {
  const directory = backupsDirectory(dataDirectory);
  const names = (await namesIn(directory)).filter((name) => NAME.test(name));
  const all = await Promise.all(names.map((name) => summarise(join(directory, name), name)));
  return all.sort((a, b) => b.takenAt.getTime() - a.takenAt.getTime() || b.name.localeCompare(a.name));
}

async function summarise(path: string, name: string): Promise<BackupSummary> {
  const { size, mtime } = await stat(path);
  try {
    return summaryOf(await readManifest(path), { name, sizeBytes: size });
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    const unknown = { rows: 0, migration: "", keyFingerprint: null, reason: "manual" as const };
    return { name, sizeBytes: size, takenAt: mtime, ...unknown, problem: error.message };
  }
}

function summaryOf(manifest: Manifest, file: { name: string; sizeBytes: number }): BackupSummary {
  return {
    ...file,
    takenAt: manifest.takenAt,
    reason: manifest.reason,
    rows: rowsOf(manifest),
    migration: manifest.migrations.at(-1)?.name ?? "",
    keyFingerprint: manifest.keyFingerprint,
    problem: null,
  };
}

type Taking = Omit<BackupSource, "onManifest"> & {
  dataDirectory: string;
  /** Where to write it instead of the folder of backups. */
  path?: string;
};

/**
 * Takes a backup of a database while it is used. The file appears under its name only when it is complete and on the
 * disk. Throws BackupError when it cannot be written, and whatever `signal` was aborted with.
 */
export async function takeBackup({ dataDirectory, path, ...source }: Taking): Promise<BackupSummary> {
  const directory = backupsDirectory(dataDirectory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const name = await newBackupName(dataDirectory, source.reason);
  const final = path ?? join(directory, name);
  const partial = `${final}.partial`;
  let manifest: Manifest | undefined;
  const onManifest = (told: Manifest) => {
    manifest = told;
  };
  try {
    await pipeline(
      Readable.from(backupBytes({ ...source, onManifest }), { objectMode: false, highWaterMark: 1 }),
      createGzip({ level: 5 }),
      createWriteStream(partial, { mode: 0o600 }),
    );
    await flush(partial);
    await rename(partial, final);
  } catch (error) {
    await rm(partial, { force: true });
    source.signal?.throwIfAborted();
    if (error instanceof BackupError) throw error;
    throw new BackupError(`The backup could not be written: ${whyNotWritten(error)}.`, { cause: error });
  }
  if (!manifest) throw new BackupError("The backup is empty.");
  return summaryOf(manifest, { name: path ?? name, sizeBytes: (await stat(/* turbopackIgnore: true */ final)).size });
}

function whyNotWritten(error: unknown): string {
  if (codeOf(error) === "ENOSPC") return "the disk is full. Free some space and try again";
  return reasonOf(error).replace(/\.$/, "");
}

async function flush(path: string): Promise<void> {
  const file = await open(path, "r+");
  await file.sync().finally(() => file.close());
}

/** Reads a backup to its end and compares all its checksums. Throws BackupError. */
export async function checkBackup(path: string, onProgress?: Progress): Promise<BackupSummary> {
  let manifest: Manifest | undefined;
  let done = 0;
  for await (const { rows } of readBackup(path, (told) => (manifest = told))) {
    done += rows.length;
    if (manifest) onProgress?.(done, rowsOf(manifest));
  }
  if (!manifest) throw new BackupError("The file is empty. Choose a backup.");
  return summaryOf(manifest, { name: path, sizeBytes: (await stat(path)).size });
}

export async function deleteBackup(dataDirectory: string, name: string): Promise<void> {
  await rm(backupPath(dataDirectory, name), { force: true });
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
