import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { startEmbeddedServer } from "@/server/launcher/embedded-server";
import { freshDatabase } from "@/tests/support/databases";
import { fakePostgres } from "@/tests/support/fake-postgres";
import { freePort } from "@/tests/support/free-port";
import { LauncherProcess } from "@/tests/support/launcher-process";

// Each test starts several processes; on a busy machine that takes a while.
vi.setConfig({ testTimeout: 180_000 });

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Starts a launcher that must fail, and returns what it printed. */
async function failure(options: Parameters<typeof LauncherProcess.start>[0]): Promise<string> {
  const launcher = await LauncherProcess.start(options);
  cleanups.push(() => launcher.clean());
  const code = await launcher.exited;
  expect(code, launcher.output).toBe(1);
  expect(launcher.output).not.toContain("    at ");
  expect(launcher.pids("web")).toEqual([]);
  return launcher.output.trim();
}

async function fake(answer: (sql: string) => Record<string, string>[]): Promise<string> {
  const server = await fakePostgres(answer);
  cleanups.push(() => server.stop());
  return server.url;
}

const version = (number: string, name: string) => (sql: string) =>
  /server_version/.test(sql) ? [{ number, name }] : [];

test("a port in use is named, with another to try", async () => {
  const server = net.createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  cleanups.push(() => server.close());
  expect(await failure({ env: { PORT: String(port) } })).toBe(
    `Port ${port} is already in use. Stop the program that uses it, or choose another: PORT=${port + 1} npm start.`,
  );
});

test("a port that is no port, and a host that is not ours", async () => {
  expect(await failure({ env: { PORT: "80a" } })).toBe('PORT is "80a". Set it to a number from 1 to 65535.');
  expect(await failure({ env: { HOST: "192.0.2.1" } })).toBe(
    "Cannot listen on 192.0.2.1 (EADDRNOTAVAIL). Set HOST to an address of this machine, or leave it unset.",
  );
});

test("a data directory that cannot be written", async () => {
  const parent = mkdtempSync(join(tmpdir(), "troupe-file-"));
  cleanups.push(() => rmSync(parent, { recursive: true }));
  writeFileSync(join(parent, "file"), "");
  const directory = join(parent, "file", "data");
  expect(await failure({ env: { DATA_DIR: directory } })).toBe(
    `Cannot write to the data directory ${directory} (ENOTDIR). Give this user access to it, or set DATA_DIR to another directory.`,
  );
});

test("a DATABASE_URL that is none, or that nobody answers", async () => {
  expect(await failure({ env: { DATABASE_URL: "mysql://x" } })).toBe(
    "DATABASE_URL is not a Postgres address. Write it as postgresql://user:password@host:5432/database.",
  );
  const port = await freePort();
  expect(await failure({ env: { DATABASE_URL: `postgresql://someone:secret-word@127.0.0.1:${port}/x` } })).toBe(
    `Cannot reach the database at 127.0.0.1:${port} (ECONNREFUSED). Start it, or correct DATABASE_URL.`,
  );
});

test("a wrong password, without printing it", async () => {
  const directory = mkdtempSync(join(tmpdir(), "troupe-password-"));
  const server = await startEmbeddedServer({ directory, forceTcp: true });
  cleanups.push(
    () => rmSync(directory, { recursive: true, force: true }),
    () => server.stop(),
  );
  const url = new URL(server.url);
  url.password = "secret-word";
  const output = await failure({ env: { DATABASE_URL: url.href } });
  expect(output).toBe(
    `The database at 127.0.0.1:${url.port} refuses the user "postgres" or its password. Correct DATABASE_URL.`,
  );
});

test("a Postgres that is too old", async () => {
  const url = await fake(version("140011", "14.11"));
  expect(await failure({ env: { DATABASE_URL: url } })).toBe(
    `The database at ${new URL(url).host} is Postgres 14.11. Troupe needs version 15 or newer: upgrade it, or use another server.`,
  );
});

test("a Postgres without pgvector, and one whose pgvector is too old", async () => {
  const without = await fake(version("150004", "15.4"));
  expect(await failure({ env: { DATABASE_URL: without } })).toBe(
    `The database at ${new URL(without).host} has no pgvector. Install pgvector 0.8 or newer on that server.`,
  );
  const old = await fake((sql) =>
    /server_version/.test(sql) ? [{ number: "150004", name: "15.4" }] : [{ available: "0.8.1", installed: "0.7.4" }],
  );
  expect(await failure({ env: { DATABASE_URL: old } })).toBe(
    `The database at ${new URL(old).host} has pgvector 0.7.4. Troupe needs 0.8 or newer: run ALTER EXTENSION vector UPDATE there.`,
  );
});

test("a database that holds something else is refused; a migration that fails names the reason and can be repaired", async () => {
  const server = await startEmbeddedServer();
  cleanups.push(() => server.stop());
  const client = new pg.Client(server.url);
  await client.connect();
  cleanups.push(() => client.end());
  await client.query("CREATE TABLE agents (n int)");
  const env = { DATABASE_URL: server.url };
  expect(await failure({ env })).toBe(
    "The database already holds tables of something else. Give Troupe an empty database of its own.",
  );

  await client.query(`CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL,
    finished_at timestamptz, migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count int NOT NULL DEFAULT 0)`);
  expect(await failure({ env })).toMatch(
    /^The database could not be migrated: .*relation "agents" already exists.*\. Remove the cause and start again; what is in the database was left as it is\.$/,
  );

  await client.query("DROP TABLE agents");
  const launcher = await LauncherProcess.start({ env });
  cleanups.push(() => launcher.clean());
  await launcher.ready();
});

test("a database of a newer version is refused", async () => {
  const database = await freshDatabase("embedded");
  cleanups.push(() => database.stop());
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '29990101000000_later', now())",
  );
  await client.end();
  expect(await failure({ env: { DATABASE_URL: database.url } })).toBe(
    "The database belongs to a newer Troupe (it has the migration 29990101000000_later). Update Troupe, or use another database.",
  );
});

test("a worker of its own without DATABASE_URL, without SECRETS_KEY, and one whose database is not migrated", async () => {
  const file = "server/launcher/worker-only.ts";
  expect(await failure({ file, env: { DATABASE_URL: "" } })).toMatch(
    /^DATABASE_URL is not set\. A worker of its own needs/,
  );
  const server = await startEmbeddedServer();
  cleanups.push(() => server.stop());
  expect(await failure({ file, env: { DATABASE_URL: server.url } })).toMatch(
    /^SECRETS_KEY is not set\. A worker of its own needs the web server's/,
  );
  expect(await failure({ file, env: { DATABASE_URL: server.url, SECRETS_KEY: "k".repeat(32) } })).toMatch(
    /^The database is not migrated to this version\. Run `npm start`/,
  );
});
