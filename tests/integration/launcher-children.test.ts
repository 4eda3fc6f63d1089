import { mkdirSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { freshDatabase } from "@/tests/support/databases";
import { copyEmbeddedTemplate, type EmbeddedDatabase } from "@/tests/support/embedded-database";
import { eventually, isAlive, LauncherProcess } from "@/tests/support/launcher-process";

// Each test starts several processes; on a busy machine that takes a while.
vi.setConfig({ testTimeout: 180_000 });

let database: EmbeddedDatabase;
const started: LauncherProcess[] = [];

beforeAll(async () => {
  database = await freshDatabase("embedded");
});
afterAll(() => database.stop());
afterEach(async () => {
  for (const launcher of started.splice(0)) await launcher.clean();
});

async function start(options: Parameters<typeof LauncherProcess.start>[0] = {}): Promise<LauncherProcess> {
  const launcher = await LauncherProcess.start({ ...options, env: { DATABASE_URL: database.url, ...options.env } });
  started.push(launcher);
  return launcher;
}

/** With the real embedded database, migrated beforehand to save the time. */
async function startEmbedded(): Promise<LauncherProcess> {
  const directory = mkdtempSync(join(tmpdir(), "troupe-launcher-"));
  const databaseDirectory = join(directory, "data", "database");
  mkdirSync(databaseDirectory, { recursive: true });
  await copyEmbeddedTemplate(databaseDirectory);
  return start({ directory, env: { DATABASE_URL: "" } });
}

const ask = async (launcher: LauncherProcess) =>
  (await (await fetch(`http://127.0.0.1:${launcher.port}`)).json()) as {
    secret: string;
    secretsKey: string;
    token?: string;
    url: string;
  };

const alive = (launcher: LauncherProcess) =>
  ["web", "worker", "grandchild"].flatMap((name) => launcher.pids(name)).filter(isAlive);

test("the secrets are made once, private, and kept over restarts", async () => {
  const first = await start();
  await first.ready();
  const { secret, secretsKey, token } = await ask(first);
  expect(token).toBeUndefined();
  expect(statSync(join(first.directory, "data")).mode & 0o777).toBe(0o700);
  expect(secretsKey).not.toBe(secret);
  for (const [name, kept] of Object.entries({ "auth-secret": secret, "secrets-key": secretsKey })) {
    const file = join(first.directory, "data", name);
    expect(kept.length).toBeGreaterThanOrEqual(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8").trim()).toBe(kept);
    expect(first.output).not.toContain(kept);
  }
  await first.stop();
  const second = await start({ directory: first.directory });
  await second.ready();
  expect(await ask(second)).toMatchObject({ secret, secretsKey });
});

test("a second launcher on the same data directory is refused while the first lives", async () => {
  const first = await start();
  await first.ready();
  const second = await start({ directory: first.directory });
  expect(await second.exited).toBe(1);
  expect(second.output.trim()).toBe(
    `${join(first.directory, "data")} is in use by another Troupe process (process ${first.child.pid}). ` +
      "Stop that one first, or set DATA_DIR to another directory.",
  );
  expect((await ask(first)).url).toBe(database.url);
});

test("a killed child is started again, and what it had started ends with it", async () => {
  const launcher = await start();
  await launcher.ready();
  await eventually("a grandchild", () => launcher.pids("grandchild")[0]);
  const [worker = 0] = launcher.pids("worker");
  const [grandchild = 0] = launcher.pids("grandchild");
  process.kill(worker, "SIGKILL");
  await eventually("a second worker", () => launcher.pids("worker").length === 2);
  await eventually("the end of the grandchild", () => !isAlive(grandchild));
  expect(launcher.output).toContain("The worker ended (SIGKILL); starting it again in 0.5 s.");
  const [web = 0] = launcher.pids("web");
  process.kill(web, "SIGKILL");
  await eventually("a second web server", () => launcher.pids("web").length === 2);
  await eventually("an answer", () => ask(launcher).catch(() => null));
});

test("SIGTERM ends web, worker and database in this order, with code 0", async () => {
  const launcher = await startEmbedded();
  await launcher.ready();
  const { url } = await ask(launcher);
  // Ready is the web server; a worker still starting would end without a word.
  await eventually("the worker", () => launcher.pids("worker")[0]);
  await launcher.stop();
  expect(await launcher.exited).toBe(0);
  expect(launcher.journal().filter((line) => line.endsWith(" stopped"))).toEqual(["web stopped", "worker stopped"]);
  await eventually("the end of all", () => alive(launcher).length === 0);
  await expect(new pg.Client(url).connect()).rejects.toThrow();
  expect(launcher.output.trim().split("\n").at(-1)).toContain("Troupe is ready");
});

test("a launcher killed with SIGKILL leaves no process behind, and the next one starts on the same directory", async () => {
  const launcher = await startEmbedded();
  await launcher.ready();
  await eventually("a grandchild", () => launcher.pids("grandchild")[0]);
  expect(alive(launcher)).toHaveLength(3);
  launcher.child.kill("SIGKILL");
  await launcher.exited;
  const again = await start({ directory: launcher.directory, env: { DATABASE_URL: "", PORT: String(launcher.port) } });
  await again.ready();
  const [firstWeb = 0] = launcher.pids("web");
  const [firstWorker = 0] = launcher.pids("worker");
  const [firstGrandchild = 0] = launcher.pids("grandchild");
  expect([firstWeb, firstWorker, firstGrandchild].filter(isAlive)).toEqual([]);
  expect((await ask(again)).url).toContain("host=");
});

test("a second signal kills what does not end by itself", async () => {
  const launcher = await start({ env: { STUBBORN: "1" } });
  await launcher.ready();
  await eventually("a grandchild", () => launcher.pids("grandchild")[0]);
  launcher.child.kill("SIGINT");
  await eventually("the signal to be ignored", () => launcher.journal().includes("worker ignored SIGTERM"));
  // One Ctrl-C can arrive twice within moments; only later ones are a person's second.
  await eventually("the end", () => launcher.child.kill("SIGINT") === false || launcher.child.exitCode !== null);
  expect(await launcher.exited).toBe(130);
  await eventually("the end of all", () => alive(launcher).length === 0);
});

test("a web server that never starts ends the launcher instead of being tried for ever", async () => {
  const launcher = await start({ env: { WEB_CRASHES: "1" } });
  expect(await launcher.exited).toBe(1);
  expect(launcher.output).toContain("out of order");
  expect(launcher.output.trim().split("\n").at(-1)).toBe(
    "The web server does not start (code 7). Read its output above, remove the cause and start again.",
  );
  expect(launcher.journal()).toContain("worker stopped");
});

test("an empty database is seeded, and only an empty one", async () => {
  const empty = await start();
  await empty.ready();
  expect(empty.journal()).toContain("seeded demo");
  await empty.stop();
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query("INSERT INTO workspaces (id, name) VALUES (gen_random_uuid(), 'Ours')");
  try {
    const filled = await start();
    await filled.ready();
    expect(filled.journal()).not.toContain("seeded demo");
  } finally {
    await client.query("DELETE FROM workspaces");
    await client.end();
  }
});

test("open to the network without an account yet, it prints a setup token and gives it to the web server", async () => {
  const launcher = await start({ env: { HOST: "0.0.0.0" } });
  await launcher.ready();
  const { token } = await eventually("an answer", () => ask(launcher));
  expect(token).toMatch(/^[\w-]{16}$/);
  await eventually("the token", () => launcher.output.includes(`setup token: ${token}`));
});
