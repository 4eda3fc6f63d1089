import { randomBytes } from "node:crypto";
import { keepAuthSecret, keepSecretsKey, prepareDataDirectory } from "./data-directory";
import { lockDirectory } from "./directory-lock";
import { checkExternalDatabase } from "./external-database";
import { readFirstRun } from "./first-run";
import { assertNotMoved } from "./installation";
import { databaseDirectory } from "./open-database";
import type { Command, Processes } from "./processes";
import { carryOutRestore, settleCutOffRestore, watchForRestore } from "./restore-on-request";
import { isLoopback, type Settings, webUrl } from "./settings";
import type { SupervisedChild } from "./supervised-child";
import { upgrade } from "./upgrade";
import { assertPortFree, untilWebAnswers } from "./web-port";

/** What the launcher starts; the tests bring stand-ins. */
export interface Commands {
  /** Prints its URL as first line. */
  database: (directory: string) => Command;
  web: (settings: Settings) => Command;
  worker: Command;
  /** Fills an empty database with the example workspace. */
  seed: Command;
  /** Makes whatever the other commands need and is not yet there. */
  prepare: (processes: Processes) => Promise<void>;
}

interface Launch {
  settings: Settings;
  commands: Commands;
  processes: Processes;
}

/** Starts database, worker and web and keeps them running. Never resolves; throws LauncherError when it cannot. */
export async function launch({ settings, commands, processes }: Launch): Promise<void> {
  const { environment } = processes;
  prepareDataDirectory(settings.dataDirectory);
  const lock = await lockDirectory({ directory: settings.dataDirectory });
  processes.onStopped(() => lock.release());
  environment.TROUPE_LAUNCHER = lock.path;
  environment.DATA_DIR = settings.dataDirectory;
  environment.AUTH_SECRET = settings.authSecret ?? keepAuthSecret(settings.dataDirectory);
  const secretsKey = settings.secretsKey ?? keepSecretsKey(settings.dataDirectory);
  environment.SECRETS_KEY = secretsKey;
  environment.NODE_ENV = settings.dev ? "development" : "production";

  await assertPortFree(settings);
  if (settings.databaseUrl) await checkExternalDatabase(settings.databaseUrl);
  await commands.prepare(processes);
  const databaseUrl = settings.databaseUrl ?? (await startEmbedded({ settings, commands, processes }));
  environment.DATABASE_URL = databaseUrl;
  await upgrade({ settings, databaseUrl, secretsKey, processes });
  await assertNotMoved(databaseUrl);
  await settleCutOffRestore(settings.dataDirectory, databaseUrl);

  const first = await readFirstRun(databaseUrl);
  if (!first.hasWorkspace && settings.demo) await seed({ commands, processes });
  const setupToken = first.hasUser || isLoopback(settings.host) ? undefined : (settings.setupToken ?? newSetupToken());
  if (setupToken) environment.SETUP_TOKEN = setupToken;

  const restores = watchForRestore(settings.dataDirectory);
  processes.onStopped(() => restores.close());
  for (;;) {
    const children = await startProduct({ settings, commands, processes });
    console.log(`Troupe is ready: ${webUrl(settings)}`);
    if (setupToken) console.log(`To create the first account you are asked for this setup token: ${setupToken}`);
    const wish = await Promise.race([restores.next(), processes.failed]);
    await processes.end(...children);
    await carryOutRestore(wish, { settings, databaseUrl, secretsKey, processes });
  }
}

/** Starts worker and web and waits until the web server answers. Returns them in the order to end them in. */
async function startProduct({ settings, commands, processes }: Launch): Promise<SupervisedChild[]> {
  const worker = processes.supervise(commands.worker, { name: "worker", graceMs: 15_000 });
  const web = processes.supervise(commands.web(settings), { name: "web server", graceMs: 10_000, attempts: 3 });
  await Promise.race([untilWebAnswers(settings), processes.failed]);
  web.ready = true;
  return [web, worker];
}

async function startEmbedded({ settings, commands, processes }: Launch): Promise<string> {
  const directory = databaseDirectory(settings);
  const database = processes.supervise(commands.database(directory), {
    name: "embedded database",
    graceMs: 15_000,
    readsFirstLine: true,
    attempts: 1,
  });
  const url = await Promise.race([database.firstLine, processes.failed]);
  database.ready = true;
  return url;
}

async function seed({ commands, processes }: Pick<Launch, "commands" | "processes">): Promise<void> {
  const { code, output } = await processes.run(commands.seed, { captured: true });
  if (code === 0) return;
  // The product works without its examples.
  console.error(output.trim());
  console.error(
    "The example workspace could not be created; Troupe starts without it and tries again at the next start.",
  );
}

const newSetupToken = () => randomBytes(12).toString("base64url");
