import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { codeOf } from "@/server/launcher/launcher-error";
import { backupPath } from "./backups";

/**
 * The wish to restore, as a file in the data directory: the web server writes it, the launcher carries it out, since it
 * alone can end everything that uses the database.
 */
const restoreState = z.object({
  state: z.enum(["requested", "running", "failed"]),
  name: z.string(),
  continueRuns: z.boolean(),
  forgetSecrets: z.boolean(),
  /** Why it failed. */
  says: z.string().nullable(),
  /** When the database was last restored before this: a restore that was cut off either changed that or did nothing. */
  restoredBefore: z.string().nullable(),
});
export type RestoreState = z.infer<typeof restoreState>;
export type RestoreWish = Pick<RestoreState, "name" | "continueRuns" | "forgetSecrets">;

export const RESTORE_FILE = "restore.json";
const fileIn = (dataDirectory: string) => join(dataDirectory, RESTORE_FILE);

/** Asks the launcher to restore a backup of the data directory. Throws BackupError for what cannot be the name of one. */
export async function requestRestore(dataDirectory: string, wish: RestoreWish): Promise<void> {
  backupPath(dataDirectory, wish.name);
  await writeRestoreState(dataDirectory, { ...wish, state: "requested", says: null, restoredBefore: null });
}

/** What has become of the last wish; null when it was fulfilled or there was none. */
export async function readRestoreState(dataDirectory: string): Promise<RestoreState | null> {
  try {
    return restoreState.parse(JSON.parse(await readFile(fileIn(dataDirectory), "utf8")));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

export async function writeRestoreState(dataDirectory: string, state: RestoreState): Promise<void> {
  const file = fileIn(dataDirectory);
  // Renamed, so that nobody reads half of it.
  await writeFile(`${file}.partial`, JSON.stringify(state), { mode: 0o600 });
  await rename(`${file}.partial`, file);
}

export async function forgetRestore(dataDirectory: string): Promise<void> {
  await rm(fileIn(dataDirectory), { force: true });
}
