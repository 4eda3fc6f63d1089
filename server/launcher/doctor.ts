import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import type { Report } from "@/server/system/schema";
import { examineInstallation } from "@/server/system/service/examine-installation";
import { printReport } from "./doctor-report";
import { LauncherError, reasonOf } from "./launcher-error";
import { type OpenDatabase, openDatabase } from "./open-database";
import { loadEnvironmentFile, readSettings, root, type Settings } from "./settings";

const CONNECT_WITHIN_MS = 4_000;

/**
 * `npm run doctor`: what this installation needs and how it stands, whether it runs or not. Changes nothing; with --online
 * it also calls providers and tool servers. Ends with 1 when there is a problem.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { json: { type: "boolean" }, online: { type: "boolean" } } });
  loadEnvironmentFile();
  const settings = readSettings({ dev: false });
  const secretsKey = settings.secretsKey ?? readKeptKey(settings.dataDirectory);
  const installation = { dataDirectory: settings.dataDirectory, secretsKey, root };
  const opened = await open(settings);
  if ("problem" in opened) {
    return tell(await examineInstallation({ ...installation, database: opened, isRunning: false }), values);
  }
  const pool = newPool(opened.url);
  try {
    if (values.online) await testOnline(pool, { url: opened.url, secretsKey });
    const isRunning = opened.kind === "embedded" ? opened.isShared : null;
    return tell(await examineInstallation({ ...installation, database: { pool }, isRunning }), values);
  } finally {
    await pool.end().catch(() => {});
    await opened.close();
  }
}

function tell(report: Report, { json }: { json?: boolean | undefined }): number {
  if (json) console.log(JSON.stringify(report, null, 2));
  else printReport(report);
  return report.state === "problem" ? 1 : 0;
}

/** Looking makes no key: that is for the first start. */
function readKeptKey(dataDirectory: string): string | undefined {
  try {
    return readFileSync(join(dataDirectory, "secrets-key"), "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}

type Closed = { problem: string; advice: string | null };

/** A database that cannot be opened is what the doctor is for: it goes into the report. */
async function open(settings: Settings): Promise<OpenDatabase | Closed> {
  try {
    return await openDatabase(settings);
  } catch (error) {
    if (error instanceof LauncherError) return { problem: error.message, advice: null };
    return {
      problem: `The database cannot be opened: ${reasonOf(error)}.`,
      advice: "Restore a backup, or ask for help.",
    };
  }
}

function newPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 3, connectionTimeoutMillis: CONNECT_WITHIN_MS });
  pool.on("error", () => {});
  return pool;
}

/** The product's own tests of a connection, which read its environment. */
async function testOnline(pool: pg.Pool, { url, secretsKey }: { url: string; secretsKey: string | undefined }) {
  process.env.DATABASE_URL = url;
  if (secretsKey) process.env.SECRETS_KEY = secretsKey;
  process.env.LOG_LEVEL ??= "error";
  const [{ testConnections }, { closeDb }] = await Promise.all([
    import("@/server/system/service/test-connections"),
    import("@/server/db"),
  ]);
  const tester = { userId: "doctor", userName: "npm run doctor" };
  try {
    for (const what of ["providers", "tool-servers"] as const) await testConnections(pool, { what, tester });
  } catch (error) {
    console.error(`Not everything could be tested: ${reasonOf(error)}`);
  } finally {
    await closeDb();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof LauncherError ? error.message : `The doctor failed: ${reasonOf(error)}`);
  process.exitCode = 1;
}
