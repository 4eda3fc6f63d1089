import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { v7 as uuid } from "uuid";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import packageFile from "@/package.json";
import { listBackups } from "@/server/backup/backups";
import { readRestoreState, requestRestore } from "@/server/backup/restore-request";
import { bundled } from "@/tests/support/bundled";
import { type FreshDatabase, freshDatabase } from "@/tests/support/databases";
import { copyEmbeddedTemplate } from "@/tests/support/embedded-database";
import { eventually, LauncherProcess } from "@/tests/support/launcher-process";
import { root } from "@/tests/support/migrated";

// Each test starts several processes; on a busy machine that takes a while.
vi.setConfig({ testTimeout: 240_000 });

const { scripts: SCRIPTS } = packageFile;

const launchers: LauncherProcess[] = [];
const databases: FreshDatabase[] = [];
afterEach(async () => {
  for (const launcher of launchers.splice(0)) await launcher.clean();
});
afterAll(async () => {
  for (const database of databases) await database.stop();
});

/** A place with an embedded database without rows. */
async function aPlace(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "troupe-backup-"));
  const databaseDirectory = join(directory, "data", "database");
  mkdirSync(databaseDirectory, { recursive: true });
  await copyEmbeddedTemplate(databaseDirectory);
  return directory;
}

const dataOf = (directory: string) => join(directory, "data");

async function start(directory: string, env: Record<string, string> = {}): Promise<LauncherProcess> {
  const launcher = await LauncherProcess.start({ directory, env: { DATABASE_URL: "", DEMO: "off", ...env } });
  launchers.push(launcher);
  return launcher;
}

type Command = "back-up" | "restore" | "move";

/** Runs one of the launcher's commands to its end. */
async function command(directory: string, [name, ...args]: [Command, ...string[]], env: Record<string, string> = {}) {
  return ended(directory, [await bundled(`server/launcher/${name}.ts`), ...args], env);
}

/** The same as people do. */
async function typed(directory: string, script: keyof typeof SCRIPTS) {
  const [program, ...args] = SCRIPTS[script].split(" ");
  expect(program).toBe("node");
  return ended(directory, args);
}

async function ended(directory: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, DATABASE_URL: "", SECRETS_KEY: "", DATA_DIR: dataOf(directory), ...env },
  });
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

const urlOf = (directory: string) =>
  `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(join(dataOf(directory), "database"))}`;

async function sql(url: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

const addWorkspace = (url: string, name: string) =>
  sql(url, "INSERT INTO workspaces (id, name) VALUES ($1, $2)", [uuid(), name]);
const workspaces = async (url: string) =>
  (await sql(url, "SELECT name FROM workspaces ORDER BY name")).map(({ name }) => name);

test("a backup taken while the product runs is restored while it runs, and what came after is kept aside", async () => {
  const directory = await aPlace();
  const launcher = await start(directory);
  await launcher.ready();
  await eventually("the worker", () => launcher.pids("worker")[0]);
  const url = urlOf(directory);
  await addWorkspace(url, "before");
  const taken = await command(directory, ["back-up"]);
  expect(taken).toMatchObject({ code: 0, output: expect.stringMatching(/^Backed up \d+ rows to .*-manual/) });
  await addWorkspace(url, "after");
  const [backup] = await listBackups(dataOf(directory));

  await requestRestore(dataOf(directory), { name: backup?.name ?? "", continueRuns: false, forgetSecrets: false });
  await eventually("a second web server", () => launcher.pids("web").length === 2, 60_000);
  await eventually("the wish to be fulfilled", async () => (await readRestoreState(dataOf(directory))) === null);
  expect(await workspaces(url)).toEqual(["before"]);
  const kept = (await listBackups(dataOf(directory))).find(({ reason }) => reason === "before-restore");
  expect(kept?.rows).toBe((backup?.rows ?? 0) + 1);

  writeFileSync(join(dataOf(directory), "backups", "bad.troupe-backup.gz"), "no backup");
  await requestRestore(dataOf(directory), { name: "bad.troupe-backup.gz", continueRuns: false, forgetSecrets: false });
  await eventually("a third web server", () => launcher.pids("web").length === 3, 60_000);
  expect(await readRestoreState(dataOf(directory))).toMatchObject({
    state: "failed",
    says: expect.stringContaining("not a Troupe backup"),
  });
  expect(await workspaces(url)).toEqual(["before"]);
  await launcher.stop();
  expect(readdirSync(join(dataOf(directory), "backups")).filter((name) => name.endsWith(".partial"))).toEqual([]);
});

test("a restore cut off by the end of everything is told, not begun again", async () => {
  const directory = await aPlace();
  const state = { name: "x.troupe-backup.gz", continueRuns: false, forgetSecrets: false, says: null };
  writeFileSync(
    join(dataOf(directory), "restore.json"),
    JSON.stringify({ ...state, state: "running", restoredBefore: null }),
  );
  const launcher = await start(directory);
  await launcher.ready();
  expect(await readRestoreState(dataOf(directory))).toMatchObject({
    state: "failed",
    says: expect.stringContaining("Nothing was changed"),
  });
});

describe("restoring with the command", () => {
  test("asks for the key the secrets were sealed with, and for a word before it replaces work", async () => {
    const directory = await aPlace();
    const key = "k".repeat(40);
    const launcher = await start(directory, { SECRETS_KEY: key });
    await launcher.ready();
    const url = urlOf(directory);
    const id = uuid();
    await sql(url, "INSERT INTO workspaces (id, name) VALUES ($1, 'Mine')", [id]);
    await sql(
      url,
      "INSERT INTO providers (id, workspace_id, name, base_url, api_key_sealed, api_key_hint) VALUES ($1, $2, 'p', 'https://p.test', 'sealed', 'abcd')",
      [uuid(), id],
    );
    const file = join(directory, "mine.gz");
    expect(await command(directory, ["back-up", "--out", file], { SECRETS_KEY: key })).toMatchObject({ code: 0 });
    expect((await command(directory, ["restore", file])).output).toMatch(/is in use by another Troupe process/);
    expect((await command(directory, ["restore", file, "--check"])).output).toMatch(/complete: \d+ rows/);

    const elsewhere = mkdtempSync(join(tmpdir(), "troupe-backup-"));
    const refused = await command(elsewhere, ["restore", file]);
    expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/sealed with another secrets key/) });
    const restored = await command(elsewhere, ["restore", file], { SECRETS_KEY: key });
    expect(restored).toMatchObject({ code: 0, output: expect.stringMatching(/every checksum matches/) });
    const again = await command(elsewhere, ["restore", file], { SECRETS_KEY: key });
    expect(again).toMatchObject({ code: 1, output: expect.stringMatching(/There is work in this database already/) });
    const forgotten = await command(elsewhere, ["restore", file, "--replace", "--forget-secrets"]);
    expect(forgotten).toMatchObject({ code: 0, output: expect.stringMatching(/before-restore/) });

    const second = await start(elsewhere);
    await second.ready();
    expect(await workspaces(urlOf(elsewhere))).toEqual(["Mine"]);
    expect(await sql(urlOf(elsewhere), "SELECT api_key_sealed, api_key_hint FROM providers")).toEqual([
      { api_key_sealed: null, api_key_hint: null },
    ]);
  });

  test.each([
    ["backup", /There is no database in/],
    ["restore", /Use: npm run restore -- FILE/],
    ["move", /Use: npm run move/],
  ] as const)("npm run %s says what is missing", async (script, sentence) => {
    const directory = mkdtempSync(join(tmpdir(), "troupe-backup-"));
    expect(await typed(directory, script)).toMatchObject({ code: 1, output: expect.stringMatching(sentence) });
  });

  test.each<[[Command, ...string[]], RegExp]>([
    [["restore", "nowhere.gz"], /There is no file/],
    [["restore", "--wrong"], /Use: npm run restore/],
    [["back-up"], /There is no database in/],
    [["move", "--to", "embedded"], /There is no database in/],
  ])("%s says what is wrong", async (args, sentence) => {
    const directory = mkdtempSync(join(tmpdir(), "troupe-backup-"));
    expect(await command(directory, args)).toMatchObject({ code: 1, output: expect.stringMatching(sentence) });
    expect(existsSync(join(dataOf(directory), "backups"))).toBe(false);
  });
});

test.runIf(process.env.TEST_DATABASE_URL)(
  "moved to Postgres and back, nothing starts on the database that was left",
  async () => {
    const directory = await aPlace();
    const first = await start(directory);
    await first.ready();
    await addWorkspace(urlOf(directory), "moving");
    await first.stop();
    const postgres = await freshDatabase("postgres");
    databases.push(postgres);

    const there = await command(directory, ["move", "--to", postgres.url]);
    expect(there).toMatchObject({ code: 0, output: expect.stringMatching(/every table's checksum matches/) });
    expect(await workspaces(postgres.url)).toEqual(["moving"]);
    const left = await start(directory, { PORT: String(first.port) });
    expect(await left.exited).toBe(1);
    expect(left.output).toMatch(/This database was moved to the database troupe_test_\S+ at 127.0.0.1:\d+ on \d{4}-/);
    const moved = await start(directory, { PORT: String(first.port), DATABASE_URL: postgres.url });
    await moved.ready();
    await addWorkspace(postgres.url, "later");
    await moved.stop();

    const other = await freshDatabase("postgres");
    databases.push(other);
    await addWorkspace(other.url, "in use");
    const taken = await command(directory, ["move", "--to", other.url], { DATABASE_URL: postgres.url });
    expect(taken).toMatchObject({ code: 1, output: expect.stringMatching(/There is work in the database .* already/) });

    const back = await command(directory, ["move", "--to", "embedded"], { DATABASE_URL: postgres.url });
    expect(back).toMatchObject({ code: 0, output: expect.stringMatching(/Remove DATABASE_URL/) });
    const home = await start(directory, { PORT: String(first.port) });
    await home.ready();
    expect(await workspaces(urlOf(directory))).toEqual(["later", "moving"]);
    await home.stop();
    const stale = await start(directory, { PORT: String(first.port), DATABASE_URL: postgres.url });
    expect(await stale.exited).toBe(1);
    expect(stale.output).toMatch(/was moved to the embedded database/);
    const unmarked = await command(directory, ["move", "--take-back"], { DATABASE_URL: postgres.url });
    expect(unmarked).toMatchObject({ code: 0, output: expect.stringMatching(/in use again/) });
  },
);
