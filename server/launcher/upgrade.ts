import { takeBackup } from "@/server/backup/backups";
import { pruneAutomatic } from "@/server/backup/prune-automatic";
import { holdsWork } from "./installation";
import { LauncherError, reasonOf } from "./launcher-error";
import { migrate, readMigrations } from "./migrations";
import type { Processes } from "./processes";
import type { Settings } from "./settings";

type Options = {
  settings: Pick<Settings, "dataDirectory" | "upgradeBackup">;
  databaseUrl: string;
  secretsKey: string;
  processes: Processes;
};

/**
 * Brings the database to this version's schema; one with somebody's work in it is backed up before. Throws LauncherError
 * when that fails, when a migration fails, and when the database belongs to a newer Troupe; then nothing was changed.
 */
export async function upgrade({ settings, databaseUrl, secretsKey, processes }: Options): Promise<void> {
  const { pending, applied } = await readMigrations(databaseUrl);
  if (pending.length === 0) return;
  if (applied.length > 0 && settings.upgradeBackup && (await holdsWork(databaseUrl))) {
    await backUp(settings.dataDirectory, databaseUrl, secretsKey);
  }
  await migrate(databaseUrl, processes);
  console.log(`Applied ${pending.length} ${pending.length === 1 ? "migration" : "migrations"}.`);
}

async function backUp(dataDirectory: string, databaseUrl: string, secretsKey: string): Promise<void> {
  try {
    const { name } = await takeBackup({
      databaseUrl,
      dataDirectory,
      reason: "before-upgrade",
      secretsKey,
    });
    console.log(`Backed up the database before the upgrade: backups/${name} in the data directory.`);
    await pruneAutomatic(dataDirectory);
  } catch (error) {
    throw new LauncherError(
      `Before the upgrade the database is backed up, and that failed: ${reasonOf(error)} Remove the cause and start again, or set UPGRADE_BACKUP=off when you have a backup of your own.`,
      { cause: error },
    );
  }
}
