import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockDirectory } from "./directory-lock";
import { checkExternalDatabase } from "./external-database";
import { LauncherError } from "./launcher-error";
import { assertMigrated } from "./migrations";
import type { Command, Processes } from "./processes";
import { ensurePrismaClient } from "./product-build";
import { workerCommand } from "./product-commands";
import { runToExit } from "./run-to-exit";
import { loadEnvironmentFile, readSettings } from "./settings";

/** `npm run worker`: one more worker for a database that another machine's `npm start` serves too. */
await runToExit(async (processes) => {
  loadEnvironmentFile();
  const { databaseUrl, secretsKey } = readSettings({ dev: false });
  if (!databaseUrl) {
    throw new LauncherError(
      "DATABASE_URL is not set. A worker of its own needs the same Postgres as the web server; with the embedded database use `npm start`, which has a worker.",
    );
  }
  // One made here would not open what the web server sealed, and every run with a stored key would fail.
  if (!secretsKey) {
    throw new LauncherError(
      "SECRETS_KEY is not set. A worker of its own needs the web server's: set it to what the file secrets-key in that machine's data directory holds, or set the same SECRETS_KEY on both.",
    );
  }
  await checkExternalDatabase(databaseUrl);
  await assertMigrated(databaseUrl);
  await superviseWorker(processes, workerCommand);
});

async function superviseWorker(processes: Processes, command: Command): Promise<void> {
  // Only for the socket by which the worker notices the end of this process.
  const directory = mkdtempSync(join(tmpdir(), "troupe-worker-"));
  const lock = await lockDirectory({ directory });
  processes.onStopped(() => rmSync(directory, { recursive: true, force: true }));
  processes.onStopped(() => lock.release());
  Object.assign(processes.environment, { TROUPE_LAUNCHER: lock.path, NODE_ENV: "production" });
  await ensurePrismaClient(processes);
  processes.supervise(command, { name: "worker", graceMs: 15_000 });
  await processes.failed;
}
