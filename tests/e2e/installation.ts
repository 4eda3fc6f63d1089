import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, type Page, test } from "@playwright/test";
import { unpackRunTree } from "@/components/runs/unpack-run-tree";
import type { PackedRunTree, RunTree } from "@/server/runs/schema";
import { bundled } from "@/tests/support/bundled";
import { DATABASE_KINDS, type DatabaseKind, freshDatabase } from "@/tests/support/databases";
import { copyDirectory, copyEmbeddedTemplate, testDirectory } from "@/tests/support/embedded-database";
import { LauncherProcess } from "@/tests/support/launcher-process";
import { root } from "@/tests/support/migrated";

const LAUNCHER = "server/launcher/start.ts";

const FIRST_START_MS = 400_000;

/** The data directory a first start with the demo left behind. */
const firstStart = () => join(testDirectory(), "first-start");

/** `npm start` in an empty directory, once: making a database and the demo takes longer than most tests. */
export async function makeFirstStart(): Promise<void> {
  const directory = firstStart();
  await mkdir(directory, { recursive: true });
  const launcher = await LauncherProcess.start({ file: LAUNCHER, directory, env: { LOG_LEVEL: "error", DEMO: "on" } });
  await launcher.ready(FIRST_START_MS);
  await launcher.stop();
}

/** A data directory to start on, with the demo or with an empty database. */
async function dataDirectory(demo: "on" | "off"): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "troupe-launcher-"));
  const data = join(directory, "data");
  if (demo === "on") await copyDirectory(join(firstStart(), "data"), data);
  else await copyEmbeddedTemplate(join(data, "database"));
  return directory;
}

/** A Troupe as `npm start` starts it again, with a data directory of its own. */
export class Installation {
  private constructor(
    private launcher: LauncherProcess,
    private readonly env: Record<string, string>,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(
    options: {
      kind?: DatabaseKind;
      model?: "rehearsal" | "scripted";
      script?: string;
      demo?: "on" | "off";
      log?: "error" | "debug";
    } = {},
  ): Promise<Installation> {
    const { demo = "on", kind = "embedded", model = "rehearsal", script = "research-desk", log = "error" } = options;
    const env: Record<string, string> = { LOG_LEVEL: log, DEMO: demo };
    const ends: (() => Promise<void>)[] = [];
    let directory: string | undefined;
    if (kind === "embedded") directory = await dataDirectory(demo);
    else {
      const database = await freshDatabase(kind);
      env.DATABASE_URL = database.url;
      ends.push(() => database.stop());
    }
    if (model === "scripted") {
      const endpoint = await startScriptedProcess(script);
      Object.assign(env, { MODEL_BASE_URL: endpoint.url, MODEL_NAME: "scripted", MODEL_API_KEY: "unused" });
      ends.push(endpoint.stop);
    }
    const launcher = await LauncherProcess.start({ file: LAUNCHER, directory, env });
    await launcher.ready();
    return new Installation(launcher, { ...env, PORT: String(launcher.port) }, async () => {
      for (const stop of ends) await stop();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.launcher.port}`;
  }

  /** The real Postgres below it, for making that slow or broken; null on the embedded database. */
  get databaseUrl(): string | null {
    return this.env.DATABASE_URL ?? null;
  }

  /** What all of it has logged. */
  get log(): string {
    return this.launcher.output;
  }

  /** SIGKILL to the worker; the launcher starts another. */
  killWorker(): void {
    const pid = descendants(this.launcher.child.pid ?? 0).find((child) => child.command.includes("server/worker.ts"));
    if (!pid) throw new Error("no worker is running");
    process.kill(pid.pid, "SIGKILL");
  }

  /** SIGKILL to everything at once, then a new start on the same data directory and port. */
  async killEverything(): Promise<void> {
    const launcher = this.launcher.child.pid ?? 0;
    const all = [{ pid: launcher }, ...descendants(launcher)];
    for (const { pid } of all) process.kill(pid, "SIGKILL");
    await this.launcher.exited;
    this.launcher = await LauncherProcess.start({ file: LAUNCHER, directory: this.launcher.directory, env: this.env });
    await this.launcher.ready();
  }

  async stop(): Promise<void> {
    await this.launcher.clean();
    await this.end();
  }
}

/** A model's endpoint in a process of its own. `key`: asked for, else refused. */
export async function startScriptedProcess(
  script: string,
  key?: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const args = [
    await bundled("tests/support/scripted-model-main.ts"),
    "--script",
    script,
    "--latency",
    "250",
    ...(key ? ["--key", key] : []),
  ];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once("line", resolve));
  return {
    url: line.replace(/^.* at /, ""),
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill();
      }),
  };
}

/** Processes below one, from /proc: what a machine that loses power would lose. */
function descendants(pid: number): { pid: number; command: string }[] {
  const parents = new Map<number, number>();
  const commands = new Map<number, string>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
      commands.set(Number(name), readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " "));
    } catch {
      // It ended while we looked.
    }
  }
  const below = (of: number): number[] =>
    [...parents].filter(([, parent]) => parent === of).flatMap(([child]) => [child, ...below(child)]);
  return below(pid).map((child) => ({ pid: child, command: commands.get(child) ?? "" }));
}

/** The kinds the crash tests run on. */
export const KINDS = DATABASE_KINDS;

export { expect, test };

export const OWNER = { name: "Mara Lind", email: "mara@example.test", password: "correct horse battery" };

/** The first visit: creates the owner and ends signed in, on the start page. */
export async function createOwner(page: Page, installation: Installation): Promise<void> {
  await page.goto(installation.url);
  await page.getByLabel("Your name").fill(OWNER.name);
  await page.getByLabel("E-mail address").fill(OWNER.email);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByLabel("Workspace name").fill("Lind & Co");
  await page.getByRole("button", { name: /create/i }).click();
  // Outside the test runner, as in the benches, the usual patience is short.
  await expect(page.getByRole("navigation").first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("Lind & Co").first()).toBeVisible();
}

/** The first run, from the start page's own invitation; returns its id. */
export async function runTheDemo(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Run the demo" }).click();
  return runOfPage(page);
}

/** Starts the demo team on a request of the test's own, from the list of runs; returns the run's id. */
export async function startDemoRun(page: Page, request: string, limits: { tokens?: number } = {}): Promise<string> {
  await page.goto("/runs");
  await page
    .getByRole("button", { name: /^Start a run/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What should it do?").fill(request);
  if (limits.tokens !== undefined) {
    await dialog.getByText("Limits", { exact: true }).click();
    await dialog.getByLabel("Tokens at most, in and out").fill(String(limits.tokens));
  }
  await dialog.getByRole("button", { name: "Start", exact: true }).click();
  return runOfPage(page);
}

async function runOfPage(page: Page): Promise<string> {
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}/);
  return new URL(page.url()).pathname.split("/")[2] ?? "";
}

export type TreeOfRun = Pick<RunTree, "run" | "agents" | "steps" | "decisions" | "requests" | "liveTexts" | "lastSeq">;

/** The run as the server tells it, with the page's own session. */
export async function treeOf(page: Page, runId: string): Promise<TreeOfRun> {
  const input = encodeURIComponent(JSON.stringify({ json: { runId } }));
  const response = await page.request.get(`/api/trpc/runs.tree?input=${input}`);
  expect(response.ok()).toBe(true);
  return unpackRunTree((await response.json()).result.data.json as PackedRunTree);
}

/** Answers the question that waits on the run's page with its first option. */
export async function answerFirstOption(page: Page): Promise<void> {
  const request = page.getByRole("article", { name: /^Request of/ });
  await request.getByRole("button", { name: "Short" }).click();
  await expectAnswered(page);
}

/** No request on the page can be answered any more. */
export async function expectAnswered(page: Page): Promise<void> {
  await expect(page.getByRole("article", { name: /^Request of/ }).getByRole("button", { name: "Short" })).toHaveCount(
    0,
  );
}

/** The run's page says that it succeeded, with an answer. */
export async function expectAnswer(page: Page): Promise<void> {
  await expect(page.locator(".run-meta").getByText("Succeeded")).toBeVisible({ timeout: 90_000 });
  await expect(page.getByRole("region", { name: "Text of the answer" })).not.toBeEmpty();
}

/** How many rows the tree has with everything unfolded: the same on every page that shows the run. */
export async function rowsOf(page: Page): Promise<number> {
  await page.getByRole("button", { name: "Unfold all" }).click();
  return Number(await page.getByRole("treegrid").getAttribute("aria-rowcount"));
}
