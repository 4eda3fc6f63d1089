import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { takeBackup } from "@/server/backup/backups";
import { readSecretsKey } from "./data-directory";
import { LauncherError } from "./launcher-error";
import { openDatabase } from "./open-database";
import { runToExit } from "./run-to-exit";
import { loadEnvironmentFile, readSettings } from "./settings";
import { showProgress } from "./show-progress";

/** `npm run backup [-- --out FILE]`: takes a backup, whether the product runs or not. */
await runToExit(async () => {
  const { values } = parseArgs({ options: { out: { type: "string" } } });
  loadEnvironmentFile();
  const settings = readSettings({ dev: false });
  const path = values.out === undefined ? undefined : newFile(values.out);
  const database = await openDatabase(settings);
  try {
    const backup = await takeBackup({
      databaseUrl: database.url,
      dataDirectory: settings.dataDirectory,
      reason: "manual",
      secretsKey: settings.secretsKey ?? readSecretsKey(settings.dataDirectory) ?? null,
      onProgress: showProgress("Backing up"),
      ...(path ? { path } : {}),
    });
    const where = path ?? `${backup.name} in ${resolve(settings.dataDirectory, "backups")}`;
    console.log(`Backed up ${backup.rows} rows to ${where} (${(backup.sizeBytes / 1024 / 1024).toFixed(1)} MB).`);
    if (backup.keyFingerprint) {
      console.log(
        "Keys of providers and tool servers are in it sealed. Keep the secrets key apart from it: " +
          (settings.secretsKey
            ? "it is in SECRETS_KEY."
            : `it is the file ${resolve(settings.dataDirectory, "secrets-key")}.`),
      );
    }
  } finally {
    await database.close();
  }
});

function newFile(out: string): string {
  const path = resolve(out);
  if (existsSync(path)) throw new LauncherError(`${path} exists already. Choose another name.`);
  if (!existsSync(dirname(path))) throw new LauncherError(`There is no folder ${dirname(path)}. Make it first.`);
  return path;
}
