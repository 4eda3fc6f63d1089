import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { LauncherError } from "./launcher-error";
import { root } from "./settings";
import { signalGroup } from "./signal-group";
import { SupervisedChild, type SupervisedOptions } from "./supervised-child";

/** Something node runs: `args` as on its command line, `env` on top of the common environment. */
export interface Command {
  args: string[];
  env?: Record<string, string>;
}

/** Loaded into every child (and the children's children): ends it when the launcher is gone. */
const WATCH_FILE = pathToFileURL(join(root, "server/launcher/exit-with-launcher.mjs")).href;

/** Everything this launcher has started, and the order to end it in: last started, first ended. */
export class Processes {
  /** Given to every child. */
  readonly environment: Record<string, string> = {
    // Nothing leaves this machine uninvited, tools included.
    NEXT_TELEMETRY_DISABLED: "1",
    CHECKPOINT_DISABLE: "1",
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
  };
  stopping = false;
  private stopped: Promise<void> | undefined;
  private readonly supervised: SupervisedChild[] = [];
  private readonly running = new Set<ChildProcess>();
  private readonly cleanups: (() => Promise<void> | void)[] = [];
  private fail: (error: Error) => void = () => {};
  /** Rejects when a supervised child cannot be kept alive; otherwise pending for ever. */
  readonly failed = new Promise<never>((_, reject) => {
    this.fail = reject;
  });

  constructor() {
    // Whoever awaits `failed` gets the error; a failure before that must not end the process by itself.
    this.failed.catch(() => {});
  }

  /** Runs a command to its end. With `captured` its output is returned instead of shown. */
  run(command: Command, { captured = false } = {}): Promise<{ code: number; output: string }> {
    const child = this.spawn(command, captured ? "pipe" : "inherit");
    this.running.add(child);
    let output = "";
    child.stdout?.on("data", (data) => (output += data));
    child.stderr?.on("data", (data) => (output += data));
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => {
        this.running.delete(child);
        if (this.stopping) return;
        resolve({ code: code ?? 1, output });
      });
    });
  }

  /** Starts a command and starts it again whenever it ends, until stop(). */
  supervise(command: Command, options: SupervisedOptions): SupervisedChild {
    const child = new SupervisedChild((stdio) => this.spawn(command, stdio), {
      ...options,
      onGivenUp: (error) => this.fail(error),
    });
    this.supervised.push(child);
    child.start();
    return child;
  }

  /** Ends supervised children in the order given, for good. */
  async end(...children: SupervisedChild[]): Promise<void> {
    for (const child of children) {
      await child.stop();
      this.supervised.splice(this.supervised.indexOf(child), 1);
    }
  }

  /** Runs after all children have ended. */
  onStopped(cleanup: () => Promise<void> | void): void {
    this.cleanups.push(cleanup);
  }

  stop(): Promise<void> {
    this.stopping = true;
    this.stopped ??= this.stopAll();
    return this.stopped;
  }

  private async stopAll(): Promise<void> {
    for (const child of this.running) signalGroup(child, "SIGTERM");
    for (const child of this.supervised.toReversed()) await child.stop();
    for (const cleanup of this.cleanups.toReversed()) await cleanup();
  }

  kill(): void {
    this.stopping = true;
    for (const child of this.running) signalGroup(child, "SIGKILL");
    for (const child of this.supervised) child.kill();
  }

  private spawn(command: Command, stdio: "inherit" | "pipe"): ChildProcess {
    if (this.stopping) throw new LauncherError("Troupe is stopping.");
    return spawn(process.execPath, ["--import", WATCH_FILE, ...command.args], {
      cwd: root,
      // A group of its own: Ctrl-C reaches the launcher only, which then ends its children in order.
      detached: process.platform !== "win32",
      stdio:
        stdio === "inherit"
          ? ["ignore", "inherit", "inherit"]
          : ["pipe", "pipe", stdio === "pipe" ? "pipe" : "inherit"],
      env: { ...process.env, ...this.environment, ...command.env },
    });
  }
}

/** The option by which a child hands the watch on to the processes it starts itself. */
export const watchedNodeOptions = () => `${process.env.NODE_OPTIONS ?? ""} --import=${WATCH_FILE}`.trim();
