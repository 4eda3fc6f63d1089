import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { embeddedUrl, startEmbeddedServer } from "./embedded-server";
import { checkExternalDatabase } from "./external-database";
import { LauncherError } from "./launcher-error";
import type { Settings } from "./settings";

export interface OpenDatabase {
  url: string;
  kind: "embedded" | "postgres";
  /** Whether another process serves it: the embedded one of a running product. False for Postgres, which nobody knows. */
  isShared: boolean;
  close(): Promise<void>;
}

type Where = Pick<Settings, "databaseUrl" | "dataDirectory">;

export const databaseDirectory = ({ dataDirectory }: Pick<Where, "dataDirectory">) => join(dataDirectory, "database");

/**
 * This installation's database for a command of its own, whether the product runs or not: DATABASE_URL, the embedded
 * database of the running product, or the embedded database opened in this process. Throws LauncherError when there is none.
 */
export async function openDatabase(settings: Where): Promise<OpenDatabase> {
  if (settings.databaseUrl) {
    await checkExternalDatabase(settings.databaseUrl);
    return { url: settings.databaseUrl, kind: "postgres", isShared: false, close: async () => {} };
  }
  const directory = databaseDirectory(settings);
  if (!existsSync(join(directory, "pgdata"))) {
    throw new LauncherError(
      `There is no database in ${settings.dataDirectory} yet. Start Troupe once, or set DATA_DIR or DATABASE_URL to where yours is.`,
    );
  }
  const served = embeddedUrl(directory);
  if (served && (await answers(served))) {
    return { url: served, kind: "embedded", isShared: true, close: async () => {} };
  }
  const server = await startEmbeddedServer({ directory });
  return { url: server.url, kind: "embedded", isShared: false, close: () => server.stop() };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
