import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { parse } from "yaml";
import { isWebBuilt } from "@/server/launcher/product-build";
import { root } from "@/server/launcher/settings";
import { freePort } from "@/tests/support/free-port";
import { stageImage } from "./stage-image";
import { Started, unprivileged } from "./started";

/**
 * npm run test:image: what the image would hold is put together by the Dockerfile's lines, and what it and the compose file
 * would start is started from there, by a user who may not write to it. No container engine is asked for or used.
 */
const APP_GRACE_MS = 45_000;
const WORKER_GRACE_MS = 30_000;

const work = mkdtempSync(join(tmpdir(), "troupe-image-"));
const running: Started[] = [];
const cleanUps: (() => Promise<unknown>)[] = [];
try {
  if (!isWebBuilt()) execFileSync("npm", ["run", "build"], { cwd: root, stdio: "inherit" });
  const { stage, folder } = stageImage(work);
  const { command, healthcheck } = stage;
  if (!command || !healthcheck) throw new Error("The image has no command or no health check in exec form.");
  console.log(
    `put together: ${megabytes(folder)} MB, of it node_modules ${megabytes(join(folder, "node_modules"))} MB`,
  );

  const start = async (what: readonly string[], env: Record<string, string>) => {
    const started = new Started(what, { folder, env: { ...stage.env, LOG_LEVEL: "warn", ...env } });
    running.push(started);
    return started;
  };
  const app = async (env: Record<string, string>) => {
    const port = String(await freePort());
    const started = await start(command, { PORT: port, DATA_DIR: dataDirectory(), ...env });
    return { started, url: `http://127.0.0.1:${port}` };
  };

  const alone = await app({ DEMO: "off" });
  await alone.started.until("it was ready", () => isOk(`${alone.url}/healthz/ready`));
  await lookAt(alone.url);
  if (!alone.started.succeeds(healthcheck)) throw new Error("The health check fails.");
  const endedMs = await alone.started.end(APP_GRACE_MS);
  if (alone.started.succeeds(healthcheck)) throw new Error("The health check cannot fail.");
  console.log(`ok   alone, on the embedded database: ready, pages, health check, ended in ${endedMs} ms`);

  if (process.env.TEST_DATABASE_URL) {
    const shared = {
      DATABASE_URL: await emptyDatabase(process.env.TEST_DATABASE_URL),
      SECRETS_KEY: randomBytes(32).toString("hex"),
      AUTH_SECRET: randomBytes(32).toString("hex"),
    };
    const main = await app(shared);
    await main.started.until("it was ready", () => isOk(`${main.url}/healthz/ready?worker=required`));
    await lookAt(main.url);
    const worker = await start(workerCommand(), shared);
    await worker.until("two workers were alive", async () => (await liveWorkers(shared.DATABASE_URL)) === 2);
    const workerMs = await worker.end(WORKER_GRACE_MS);
    const mainMs = await main.started.end(APP_GRACE_MS);
    console.log(`ok   as composed, on Postgres: ready, pages, a second worker; ended in ${workerMs} and ${mainMs} ms`);
  } else console.log("Left out, because TEST_DATABASE_URL is not set: as composed, on Postgres.");
} finally {
  for (const started of running) started.kill();
  for (const cleanUp of cleanUps) await cleanUp();
  rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

function dataDirectory(): string {
  const directory = join(work, `data-${randomBytes(3).toString("hex")}`);
  mkdirSync(directory, { mode: 0o700 });
  chmodSync(directory, 0o700);
  const { uid, gid } = unprivileged;
  if (uid !== undefined && gid !== undefined) chownSync(directory, uid, gid);
  return directory;
}

async function isOk(url: string): Promise<boolean> {
  return (await fetch(url)).ok;
}

/** The first page and one of its scripts, as a browser would ask for them. */
async function lookAt(url: string): Promise<void> {
  const page = await fetch(url);
  const html = await page.text();
  const script = /src="(\/_next\/static\/[^"]+\.js[^"]*)"/.exec(html)?.[1];
  if (!page.ok || !script || !page.headers.get("content-security-policy")) {
    throw new Error(`The first page is not right: ${page.status} ${html.slice(0, 300)}`);
  }
  if (!(await isOk(`${url}${script.replaceAll("&amp;", "&")}`))) throw new Error(`${script} is missing.`);
}

function workerCommand(): string[] {
  const compose = parse(readFileSync(join(root, "deploy/compose.yaml"), "utf8"), { merge: true }) as {
    services: { worker: { command: string[] } };
  };
  return compose.services.worker.command;
}

async function emptyDatabase(server: string): Promise<string> {
  const name = `troupe_image_${randomBytes(4).toString("hex")}`;
  await query(server, `CREATE DATABASE ${name}`);
  cleanUps.push(() => query(server, `DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function liveWorkers(url: string): Promise<number> {
  const { rows } = await query(
    url,
    "SELECT count(*)::int AS n FROM workers WHERE beat_at > now() - interval '3 seconds'",
  );
  return (rows[0] as { n: number }).n;
}

async function query(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

function megabytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, entry) => sum + lstatSync(join(entry.parentPath, entry.name)).size, 0);
  return Math.round(bytes / 1_000_000);
}
