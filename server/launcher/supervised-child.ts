import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { LauncherError } from "./launcher-error";
import { signalGroup } from "./signal-group";

export interface SupervisedOptions {
  /** As in "The worker ended …". */
  name: string;
  /** How long it may take to end by itself, in milliseconds; then it is killed. */
  graceMs: number;
  /** Resolve `firstLine` with what it prints first instead of showing it. */
  readsFirstLine?: boolean;
  /** Give up when it has ended this often without ever having been marked ready. */
  attempts?: number;
  delays?: RestartDelays;
  onGivenUp?: (error: LauncherError) => void;
}

interface RestartDelays {
  firstMs: number;
  maxMs: number;
  /** After living this long the next restart waits `firstMs` again. */
  healthyAfterMs: number;
}

const DELAYS: RestartDelays = { firstMs: 500, maxMs: 30_000, healthyAfterMs: 60_000 };

/** The pause before the next start, in milliseconds: doubled after each short life, short again after a long one. */
export function nextDelay(last: { previousMs: number | null; livedMs: number; delays?: RestartDelays }): number {
  const { firstMs, maxMs, healthyAfterMs } = last.delays ?? DELAYS;
  if (last.previousMs === null || last.livedMs >= healthyAfterMs) return firstMs;
  return Math.min(last.previousMs * 2, maxMs);
}

/** One child that is started again whenever it ends, with growing pauses while it keeps ending quickly. */
export class SupervisedChild {
  /** Set by the owner once the child has done what it is for; from then on it is restarted for ever. */
  ready = false;
  readonly firstLine: Promise<string>;
  private readonly delays: RestartDelays;
  private child: ChildProcess | undefined;
  private ended: Promise<void> = Promise.resolve();
  private stopping = false;
  private timer: NodeJS.Timeout | undefined;
  private delayMs: number | null = null;
  private failures = 0;
  private gotFirstLine: (line: string) => void = () => {};

  constructor(
    private readonly spawn: (stdio: "inherit" | "pipe") => ChildProcess,
    private readonly options: SupervisedOptions,
  ) {
    this.delays = options.delays ?? DELAYS;
    this.firstLine = new Promise((resolve) => {
      this.gotFirstLine = resolve;
    });
  }

  start(): void {
    const startedAt = Date.now();
    const child = this.spawn(this.options.readsFirstLine ? "pipe" : "inherit");
    this.child = child;
    if (child.stdout) createInterface({ input: child.stdout }).once("line", this.gotFirstLine);
    child.stdin?.on("error", () => {});
    this.ended = new Promise((resolve) => {
      child.once("error", () => resolve());
      child.once("exit", (code, signal) => {
        resolve();
        this.onExit(signal ?? `code ${code}`, Date.now() - startedAt);
      });
    });
  }

  /** Asks it to end, waits, and kills it when it does not. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    if (!this.child) return;
    // It alone: what it started itself, such as a tool server, may be needed for what it still has to finish.
    this.child.kill("SIGTERM");
    const late = setTimeout(() => this.kill(), this.options.graceMs);
    await this.ended;
    clearTimeout(late);
    // What it started itself must not outlive it.
    this.kill();
  }

  kill(): void {
    this.stopping = true;
    clearTimeout(this.timer);
    if (this.child) signalGroup(this.child, "SIGKILL");
  }

  private onExit(how: string, livedMs: number): void {
    if (this.stopping) return;
    // What it had started would keep its port.
    if (this.child) signalGroup(this.child, "SIGKILL");
    this.delayMs = nextDelay({ previousMs: this.delayMs, livedMs, delays: this.delays });
    this.failures += 1;
    if (!this.ready && this.options.attempts !== undefined && this.failures >= this.options.attempts) {
      this.stopping = true;
      const { name } = this.options;
      this.options.onGivenUp?.(
        new LauncherError(
          `The ${name} does not start (${how}). Read its output above, remove the cause and start again.`,
        ),
      );
      return;
    }
    console.error(`The ${this.options.name} ended (${how}); starting it again in ${this.delayMs / 1000} s.`);
    this.timer = setTimeout(() => this.start(), this.delayMs);
  }
}
