import { statfs } from "node:fs/promises";
import { type BackupSummary, backupsDirectory, listBackups } from "@/server/backup/backups";
import { readRestoreState } from "@/server/backup/restore-request";
import { pool } from "@/server/db";
import { env } from "@/server/env";
import { keyFingerprint } from "@/server/secrets/secrets-key";
import type { Scope } from "@/server/workspaces/scope";
import type { BackupsView, BackupView } from "../schema";
import { findKeyFile } from "./check-data-directory";
import { dataDirectory } from "./here";

/** Newest first. Throws NOT_READY in a server that no launcher started. */
export async function listBackupViews(_scope: Scope): Promise<BackupView[]> {
  const { SECRETS_KEY } = env();
  const ours = SECRETS_KEY ? keyFingerprint(SECRETS_KEY) : null;
  return (await listBackups(dataDirectory())).map((backup) => toView(backup, ours));
}

/** The backups and what is going on with them, but for the one being taken now. */
export async function readBackups(scope: Scope): Promise<Omit<BackupsView, "taking" | "failure">> {
  const directory = dataDirectory();
  const [backups, restored, restore, space, keyFile] = await Promise.all([
    listBackupViews(scope),
    findRestored(scope),
    readRestoreState(directory),
    statfs(directory).catch(() => null),
    findKeyFile({ dataDirectory: directory, secretsKey: env().SECRETS_KEY }),
  ]);
  const freeBytes = space ? space.bavail * space.bsize : null;
  return { backups, restored, restore, freeBytes, folder: backupsDirectory(directory), keyFile };
}

async function findRestored(_scope: Scope): Promise<BackupsView["restored"]> {
  const { rows } = await pool().query<{ from: string; at: Date }>(
    `SELECT restored_from AS "from", restored_at AS at FROM installation WHERE restored_from IS NOT NULL AND restored_at IS NOT NULL`,
  );
  return rows[0] ? { from: rows[0].from, at: rows[0].at.toISOString() } : null;
}

function toView(
  { keyFingerprint: key, takenAt, name, reason, ...backup }: BackupSummary,
  ours: string | null,
): BackupView {
  return {
    ...backup,
    name,
    takenAt: takenAt.toISOString(),
    // Inside, it says why it was taken where it was taken.
    reason: /-uploaded(-\d+)?\./.test(name) ? "uploaded" : reason,
    key: key === null ? "none" : key === ours ? "same" : "other",
  };
}
