import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { bundled } from "./bundled";
import { freePort } from "./free-port";
import { root } from "./migrated";

/** Polls until the condition gives something truthy, and returns it. */
export async function eventually<T>(what: string, condition: () => T | Promise<T>, withinMs = 20_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${withinMs} ms`);
    await delay(20);
  }
}

export const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    // A dead process nobody has collected yet is not alive.
    return !(existsSync(`/proc/${pid}/stat`) && / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")));
  } catch {
    return false;
  }
};

/** A launcher as a process of its own, with a data directory and a journal of what its children did. */
export class LauncherProcess {
  output = "";
  readonly exited: Promise<number | NodeJS.Signals>;

  private constructor(
    readonly child: ChildProcess,
    readonly directory: string,
    readonly port: number,
  ) {
    child.stdout?.on("data", (data) => (this.output += data));
    child.stderr?.on("data", (data) => (this.output += data));
    this.exited = new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal ?? 1)));
  }

  static async start(options: { file?: string; directory?: string; env?: Record<string, string> } = {}) {
    const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "troupe-launcher-")));
    const port = Number(options.env?.PORT ?? (await freePort()));
    const args = options.file
      ? ["--import", "tsx", join(root, options.file)]
      : [await bundled("tests/support/launcher-stand-in.ts")];
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...cleanEnvironment(),
        DATA_DIR: join(directory, "data"),
        JOURNAL: join(directory, "journal"),
        PORT: String(port),
        ...options.env,
      },
    });
    return new LauncherProcess(child, directory, port);
  }

  journal(): string[] {
    const file = join(this.directory, "journal");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  }

  /** The process ids the journal holds for "<name> started <pid>", oldest first. */
  pids(name: string): number[] {
    return this.journal().flatMap((line) => (line.startsWith(`${name} started `) ? [Number(line.split(" ")[2])] : []));
  }

  ready(withinMs = 180_000): Promise<unknown> {
    const isReady = () => {
      if (this.child.exitCode !== null) throw new Error(`the launcher ended: ${this.output}`);
      return this.output.includes("Troupe is ready");
    };
    return eventually("“Troupe is ready”", isReady, withinMs);
  }

  async stop(): Promise<void> {
    this.child.kill("SIGTERM");
    await this.exited;
  }

  /** Ends what is left and removes the directory. */
  async clean(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.stop();
    await rm(this.directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** The tests' own settings must not reach the launcher under test. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { DATABASE_URL, AUTH_SECRET, SECRETS_KEY, SETUP_TOKEN, HOST, DATA_DIR, NODE_ENV, VITEST, ...rest } =
    process.env;
  return { ...rest, NODE_ENV: "production" };
}
