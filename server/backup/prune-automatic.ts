import { deleteBackup, listBackups } from "./backups";

/** Those a person asked for stay until a person deletes them. */
const AUTOMATIC = new Set(["before-upgrade", "before-restore", "before-move"]);
const KEPT = 5;

/** Deletes all but the newest five backups that were taken by the way. */
export async function pruneAutomatic(dataDirectory: string): Promise<void> {
  const automatic = (await listBackups(dataDirectory)).filter(
    ({ reason, problem }) => !problem && AUTOMATIC.has(reason),
  );
  for (const { name } of automatic.slice(KEPT)) await deleteBackup(dataDirectory, name);
}
