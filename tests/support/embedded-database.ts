import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { bundled } from "./bundled";
import { migrate, migrationsHash, root } from "./migrated";

export interface EmbeddedDatabase {
  url: string;
  directory: string;
  /** SIGKILL, as a power cut to the process: the directory stays as it is. */
  kill(): Promise<void>;
  /** The exit code, once the process has ended by itself. */
  ended(): Promise<number | null>;
  /** Starts again on the same directory, under the same URL. */
  restart(): Promise<void>;
  /** Ends the process and removes the directory. */
  stop(): Promise<void>;
}

/** Where this run keeps its databases; short, because socket paths are limited to 100 bytes. */
export const testDirectory = () => join(tmpdir(), `troupe-test-${process.env.TROUPE_TEST_RUN ?? process.pid}`);

/** In `directory`, which then stays, or in one of its own. */
export async function freshEmbeddedDatabase({
  directory: given,
}: {
  directory?: string;
} = {}): Promise<EmbeddedDatabase> {
  await mkdir(testDirectory(), { recursive: true });
  const directory = given ?? (await mkdtemp(join(testDirectory(), "d")));
  await copyEmbeddedTemplate(directory);

  let running = await startProcess(directory);
  return {
    url: running.url,
    directory,
    ended: async () => {
      const { child } = running;
      if (child.exitCode === null) await new Promise((resolve) => child.once("exit", resolve));
      return child.exitCode;
    },
    kill: () => end(running.child, "SIGKILL"),
    restart: async () => {
      await end(running.child, "SIGKILL");
      running = await startProcess(directory);
    },
    stop: async () => {
      // The directory goes too, so there is nothing to close cleanly.
      await end(running.child, "SIGKILL");
      if (given === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Makes `directory` hold a migrated database without rows that an embedded server can be started on. */
export async function copyEmbeddedTemplate(directory: string): Promise<void> {
  const template = await embeddedTemplate();
  await mkdir(directory, { recursive: true });
  await copyDirectory(template, join(directory, "pgdata"));
}

/** A thousand files: Node's own copying takes ten times as long. `to` must not be there. */
export async function copyDirectory(from: string, to: string): Promise<void> {
  await promisify(execFile)("cp", ["-Rp", from, to]);
}

/** A migrated data directory, made once per state of the migrations and copied from then on. */
async function embeddedTemplate(): Promise<string> {
  const cache = join(root, "node_modules/.cache/troupe");
  const template = join(cache, `template-${migrationsHash()}`);
  if (existsSync(template)) return template;

  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(tmpdir(), "troupe-template-"));
  try {
    const { child, url } = await startProcess(directory);
    await migrate(url);
    await end(child, "SIGTERM");
    const made = await mkdtemp(join(cache, "making-"));
    await copyDirectory(join(directory, "pgdata"), join(made, "pgdata"));
    // Another test run may have been faster; its template is as good.
    await rename(join(made, "pgdata"), template).catch(() => {});
    await rm(made, { recursive: true, force: true });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return template;
}

/** Starts the embedded server as a process that ends with this one, and waits for its URL. */
async function startProcess(directory: string): Promise<{ child: ChildProcess; url: string }> {
  const main = await bundled("server/launcher/embedded-main.ts");
  const args = [main, "--dir", directory, "--wait-ms", "5000", "--exit-with-stdin"];
  // It lives so short that optimizing its code would take twice as long as running it as it is.
  const child = spawn(process.execPath, ["--liftoff-only", ...args], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) =>
      reject(new Error(`the embedded database ended with code ${code} before it was ready`)),
    );
  });
  return { child, url };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await ended;
}
