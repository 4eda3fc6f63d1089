import { execFile } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startEmbeddedServer } from "@/server/launcher/embedded-server";
import { copyEmbeddedTemplate, type EmbeddedDatabase, freshEmbeddedDatabase } from "@/tests/support/embedded-database";

// Each test starts several processes; on a busy machine that takes a while.
vi.setConfig({ testTimeout: 180_000 });

let database: EmbeddedDatabase;
beforeAll(async () => {
  database = await freshEmbeddedDatabase();
});
afterAll(() => database.stop());

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Runs the server's command line until it ends. */
function runMain(directory: string): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve) => {
    const args = ["--import", "tsx", "server/launcher/embedded-main.ts", "--dir", directory];
    execFile(process.execPath, args, (error, _stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stderr });
    });
  });
}

test("a second process on the same directory is refused with one sentence", async () => {
  const { code, stderr } = await runMain(database.directory);
  expect(code).toBe(1);
  expect(stderr).toMatch(/is in use by another Troupe process \(process \d+\)\. Stop that one first/);
  expect(stderr).not.toContain("    at ");
  expect(await ask(database.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
});

test("only the owner may enter the directory of the socket", () => {
  expect(statSync(database.directory).mode & 0o777).toBe(0o700);
});

test("killed in the middle of a transaction it restarts under the same URL with everything committed and nothing else", async () => {
  await ask(database.url, "CREATE TABLE survives (n int)");
  for (let round = 1; round <= 3; round++) {
    const client = new pg.Client(database.url);
    client.on("error", () => {});
    await client.connect();
    await client.query("INSERT INTO survives SELECT generate_series(1, 500)");
    await client.query("BEGIN");
    await client.query("INSERT INTO survives SELECT generate_series(1, 500)");
    await database.kill();
    await database.restart();
    expect(await ask(database.url, "SELECT count(*)::int AS n FROM survives")).toEqual([{ n: round * 500 }]);
  }
});

test("a backend that dies cuts everybody off, ends the process with a sentence, and loses nothing committed", async () => {
  const own = await freshEmbeddedDatabase();
  try {
    await ask(own.url, "CREATE TABLE kept AS SELECT 1 AS n");
    // COPY FROM STDIN ends the backend; this one is written to slip past the check for it.
    await expect(ask(own.url, "SELECT '/*'; COPY kept FROM/**/STDIN")).rejects.toThrow();
    expect(await own.ended()).toBe(1);
    await own.restart();
    expect(await ask(own.url, "SELECT n FROM kept")).toEqual([{ n: 1 }]);
  } finally {
    await own.stop();
  }
});

test("over TCP the password is checked, and a restart keeps port and password", async () => {
  const parent = await mkdtemp(join(tmpdir(), "troupe-tcp-"));
  // Too long for a socket's path.
  const directory = join(parent, "d".repeat(120));
  mkdirSync(directory);
  await copyEmbeddedTemplate(directory);
  try {
    const first = await startEmbeddedServer({ directory });
    expect(first.url).toMatch(/^postgresql:\/\/postgres:[\w-]{32}@127\.0\.0\.1:\d+\//);
    await ask(first.url, "CREATE TABLE over_tcp (n int)");
    const wrong = first.url.replace(/:[\w-]{32}@/, ":wrong@");
    await expect(ask(wrong, "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
    await expect(ask(first.url.replace(/:[\w-]{32}@/, "@"), "SELECT 1")).rejects.toThrow();
    await expect(startEmbeddedServer({ directory })).rejects.toThrow("is in use by another Troupe process");
    expect(statSync(join(directory, "tcp.json")).mode & 0o777).toBe(0o600);
    await first.stop();
    const second = await startEmbeddedServer({ directory });
    expect(second.url).toBe(first.url);
    expect(await ask(second.url, "SELECT count(*)::int AS n FROM over_tcp")).toEqual([{ n: 0 }]);
    await second.stop();
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});
