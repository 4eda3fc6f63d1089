import { parseArgs } from "node:util";
import pg from "pg";
import { backupPath, takeBackup } from "@/server/backup/backups";
import { restoreBackup } from "@/server/backup/restore-backup";
import { prepareDataDirectory, readSecretsKey } from "./data-directory";
import { lockDirectory } from "./directory-lock";
import { startEmbeddedServer } from "./embedded-server";
import { checkExternalDatabase } from "./external-database";
import { assertNotMoved, assertNoWorkers, holdsWork, markMoved, movedTo } from "./installation";
import { LauncherError } from "./launcher-error";
import { migrate } from "./migrations";
import { databaseDirectory, openDatabase } from "./open-database";
import type { Processes } from "./processes";
import { ensurePrismaClient } from "./product-build";
import { runToExit } from "./run-to-exit";
import { loadEnvironmentFile, readSettings, type Settings } from "./settings";
import { showProgress } from "./show-progress";

const USAGE = "Use: npm run move -- --to postgresql://user:password@host:5432/database, or --to embedded.";

/**
 * `npm run move -- --to URL|embedded`: takes everything to another database, and runs in flight go on there. The product
 * must not run. The old database stays as it is, marked, so that nothing starts on it by mistake; `--take-back` unmarks it.
 */
await runToExit(async (processes) => {
  const { to, takeBack } = readArguments();
  loadEnvironmentFile();
  const settings = readSettings({ dev: false });
  prepareDataDirectory(settings.dataDirectory);
  const lock = await lockDirectory({ directory: settings.dataDirectory });
  processes.onStopped(() => lock.release());
  await ensurePrismaClient(processes);
  const source = await openDatabase(settings);
  processes.onStopped(() => source.close());
  await migrate(source.url, processes);
  if (takeBack) {
    await markMoved(source.url, null);
    console.log("This database is in use again. Do not start Troupe on the other one as well: runs would go on twice.");
    return;
  }
  await assertNotMoved(source.url);
  await assertNoWorkers(source.url);
  const target = await openTarget(to, source.kind, settings, processes);
  await migrate(target.url, processes);
  if ((await holdsWork(target.url)) && !(await movedTo(target.url))) {
    throw new LauncherError(`There is work in ${target.words} already. Move to an empty database.`);
  }
  const backup = await takeBackup({
    databaseUrl: source.url,
    dataDirectory: settings.dataDirectory,
    reason: "before-move",
    secretsKey: settings.secretsKey ?? readSecretsKey(settings.dataDirectory) ?? null,
    onProgress: showProgress("Reading"),
  });
  const { tables } = await restoreBackup({
    path: backupPath(settings.dataDirectory, backup.name),
    name: backup.name,
    databaseUrl: target.url,
    continueRuns: true,
    forgetSecrets: false,
    onProgress: showProgress("Writing"),
  });
  await markMoved(source.url, target.words);
  console.log(
    `Moved ${backup.rows} rows of ${tables.length} tables to ${target.words}; every table's checksum matches.`,
  );
  console.log(target.next);
});

function readArguments(): { to: string; takeBack: boolean } {
  try {
    const { values } = parseArgs({
      options: { to: { type: "string" }, "take-back": { type: "boolean", default: false } },
    });
    if ((values.to === undefined) === values["take-back"])
      return { to: values.to ?? "", takeBack: values["take-back"] };
  } catch {
    // An option there is not.
  }
  throw new LauncherError(USAGE);
}

type Target = { url: string; words: string; next: string };

async function openTarget(
  to: string,
  from: "embedded" | "postgres",
  settings: Settings,
  processes: Processes,
): Promise<Target> {
  if (to === "embedded") {
    if (from === "embedded") throw new LauncherError("This installation uses the embedded database already.");
    const server = await startEmbeddedServer({ directory: databaseDirectory(settings) });
    processes.onStopped(() => server.stop());
    return {
      url: server.url,
      words: "the embedded database",
      next: "Remove DATABASE_URL from .env or the environment, then start with `npm start`.",
    };
  }
  await checkExternalDatabase(to);
  if (to === settings.databaseUrl) throw new LauncherError("This installation uses that database already.");
  const { host, port, database } = new pg.Client({ connectionString: to });
  const words = `the database ${database} at ${host}:${port}`;
  // Not printed whole: an address can hold a password.
  return { url: to, words, next: "Set DATABASE_URL to it, in .env or the environment, then start with `npm start`." };
}
