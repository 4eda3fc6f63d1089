import pg from "pg";
import { codeOf, LauncherError, reasonOf } from "./launcher-error";

const MIN_POSTGRES = 150_000;
const MIN_PGVECTOR = [0, 8];
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Checks what DATABASE_URL names before anything is started on it: reachable, Postgres 15 or newer, pgvector 0.8 or
 * newer, which is switched on where it is only available. Throws LauncherError; its text never holds the password.
 */
export async function checkExternalDatabase(url: string): Promise<void> {
  const client = clientFor(url);
  client.on("error", () => {});
  const where = `${client.host}:${client.port}`;
  try {
    await client.connect();
  } catch (error) {
    throw new LauncherError(cannotConnect(error, where, client), { cause: error });
  }
  try {
    await checkVersion(client, where);
    await checkVector(client, where);
  } finally {
    await client.end().catch(() => {});
  }
}

function clientFor(url: string): pg.Client {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new LauncherError(
      "DATABASE_URL is not a Postgres address. Write it as postgresql://user:password@host:5432/database.",
    );
  }
  try {
    return new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  } catch {
    throw new LauncherError("DATABASE_URL cannot be read. Write it as postgresql://user:password@host:5432/database.");
  }
}

function cannotConnect(error: unknown, where: string, client: pg.Client): string {
  switch (codeOf(error)) {
    case "28P01":
    case "28000":
      return `The database at ${where} refuses the user "${client.user}" or its password. Correct DATABASE_URL.`;
    case "3D000":
      return `There is no database "${client.database}" at ${where}. Create it, or correct DATABASE_URL.`;
    default:
      return `Cannot reach the database at ${where} (${codeOf(error) ?? reasonOf(error)}). Start it, or correct DATABASE_URL.`;
  }
}

async function checkVersion(client: pg.Client, where: string): Promise<void> {
  const { rows } = await client.query<{ number: string; name: string }>(
    "SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS name",
  );
  const [version] = rows;
  if (Number(version?.number) >= MIN_POSTGRES) return;
  throw new LauncherError(
    `The database at ${where} is Postgres ${version?.name}. Troupe needs version 15 or newer: upgrade it, or use another server.`,
  );
}

async function checkVector(client: pg.Client, where: string): Promise<void> {
  const { rows } = await client.query<{ available: string; installed: string | null }>(
    "SELECT default_version AS available, installed_version AS installed FROM pg_available_extensions WHERE name = 'vector'",
  );
  const [vector] = rows;
  if (!vector) {
    throw new LauncherError(`The database at ${where} has no pgvector. Install pgvector 0.8 or newer on that server.`);
  }
  if (!isNewEnough(vector.installed ?? vector.available)) {
    const upgrade = isNewEnough(vector.available)
      ? "run ALTER EXTENSION vector UPDATE there"
      : "upgrade it on that server";
    throw new LauncherError(
      `The database at ${where} has pgvector ${vector.installed ?? vector.available}. Troupe needs 0.8 or newer: ${upgrade}.`,
    );
  }
  if (vector.installed) return;
  try {
    await client.query("CREATE EXTENSION IF NOT EXISTS vector");
  } catch (error) {
    throw new LauncherError(
      `The user "${client.user}" may not switch on pgvector at ${where} (${reasonOf(error)}). Run CREATE EXTENSION vector there as a superuser.`,
      { cause: error },
    );
  }
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [minMajor = 0, minMinor = 0] = MIN_PGVECTOR;
  return major > minMajor || (major === minMajor && minor >= minMinor);
}
