import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { backupPath, checkBackup, listBackups } from "@/server/backup/backups";
import { prepareDataDirectory, readSecretsKey } from "./data-directory";
import { lockDirectory } from "./directory-lock";
import { startEmbeddedServer } from "./embedded-server";
import { checkExternalDatabase } from "./external-database";
import { holdsWork, markMoved } from "./installation";
import { LauncherError } from "./launcher-error";
import { migrate } from "./migrations";
import { databaseDirectory } from "./open-database";
import type { Processes } from "./processes";
import { ensurePrismaClient } from "./product-build";
import { restoreDatabase } from "./restore-database";
import { runToExit } from "./run-to-exit";
import { loadEnvironmentFile, readSettings, type Settings } from "./settings";
import { showProgress } from "./show-progress";

const USAGE = "Use: npm run restore -- FILE [--check] [--replace] [--continue] [--forget-secrets].";

/**
 * `npm run restore -- FILE`: makes this installation what a backup holds. The product must not run.
 *   --check           only read the file and compare its checksums
 *   --replace         although there is work in the database; it is backed up before
 *   --continue        let runs in flight go on; only when nothing of the original goes on as well
 *   --forget-secrets  the secrets key is lost: restore without the stored keys
 */
await runToExit(async (processes) => {
  const { values: options, positionals } = readArguments();
  loadEnvironmentFile();
  const settings = readSettings({ dev: false });
  const path = await findFile(settings, positionals);
  if (options.check) {
    const { rows, takenAt } = await checkBackup(path, showProgress("Checking"));
    console.log(`The backup of ${takenAt.toISOString()} is complete: ${rows} rows, and every checksum matches.`);
    return;
  }
  prepareDataDirectory(settings.dataDirectory);
  const lock = await lockDirectory({ directory: settings.dataDirectory });
  processes.onStopped(() => lock.release());
  await ensurePrismaClient(processes);
  const databaseUrl = await openTarget(settings, processes);
  await migrate(databaseUrl, processes);
  if (!options.replace && (await holdsWork(databaseUrl))) {
    throw new LauncherError(
      "There is work in this database already. Restore into an empty one (another DATA_DIR or DATABASE_URL), or add --replace: what is there is backed up first.",
    );
  }
  const { manifest, safety } = await restoreDatabase({
    path,
    name: basename(path),
    databaseUrl,
    dataDirectory: settings.dataDirectory,
    secretsKey: settings.secretsKey ?? readSecretsKey(settings.dataDirectory),
    continueRuns: options.continue,
    forgetSecrets: options["forget-secrets"],
    processes,
    onProgress: showProgress("Restoring"),
  });
  // Whatever lived here and was moved away is replaced now.
  await markMoved(databaseUrl, null);
  if (safety) console.log(`What was there before is backups/${safety.name} in the data directory.`);
  console.log(
    `Restored the backup of ${manifest.takenAt.toISOString()}: ${manifest.tables.length} tables, and every checksum matches. ` +
      `Runs that were in flight ${options.continue ? "go on at the next start" : "are shown as interrupted"}.`,
  );
});

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        check: { type: "boolean", default: false },
        replace: { type: "boolean", default: false },
        continue: { type: "boolean", default: false },
        "forget-secrets": { type: "boolean", default: false },
      },
    });
  } catch {
    throw new LauncherError(USAGE);
  }
}

/** A path, or the name of one of the backups in the data directory. */
async function findFile({ dataDirectory }: Settings, [file, ...more]: string[]): Promise<string> {
  if (!file || more.length > 0) throw new LauncherError(USAGE);
  if (existsSync(file)) return resolve(file);
  const [kept] = (await listBackups(dataDirectory)).filter(({ name }) => name === file);
  if (kept) return backupPath(dataDirectory, kept.name);
  throw new LauncherError(`There is no file ${resolve(file)}, and no backup of that name in the data directory.`);
}

async function openTarget(settings: Settings, processes: Processes): Promise<string> {
  if (settings.databaseUrl) {
    await checkExternalDatabase(settings.databaseUrl);
    return settings.databaseUrl;
  }
  const server = await startEmbeddedServer({ directory: databaseDirectory(settings) });
  processes.onStopped(() => server.stop());
  return server.url;
}
