import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { dirname } from "node:path";

/** Whom the image runs as, here: nobody in particular. Only root can become somebody else. */
export const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** A command of the image, started outside a container with nothing in its environment but what it is given. */
export class Started {
  output = "";
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | string>;

  constructor(
    command: readonly string[],
    private readonly options: { folder: string; env: Record<string, string> },
  ) {
    const [program = "", ...args] = command;
    this.child = spawn(program, args, { ...this.inside(), stdio: ["ignore", "pipe", "pipe"] });
    this.child.stdout?.on("data", (data) => (this.output += data));
    this.child.stderr?.on("data", (data) => (this.output += data));
    this.ended = new Promise((resolve) => this.child.once("close", (code, signal) => resolve(code ?? signal ?? "")));
  }

  private inside() {
    // No home: a container's user has none worth writing to.
    const env: NodeJS.ProcessEnv = {
      NODE_ENV: "production",
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: "/nonexistent",
      ...this.options.env,
    };
    return { cwd: this.options.folder, env, ...unprivileged };
  }

  /** Polls until the condition holds. Throws with the output when the command ends first, or takes too long. */
  async until(what: string, holds: () => Promise<boolean>, withinMs = 120_000): Promise<void> {
    const deadline = Date.now() + withinMs;
    while (!(await holds().catch(() => false))) {
      const isOver = this.child.exitCode !== null || this.child.signalCode !== null;
      if (isOver || Date.now() > deadline) {
        throw new Error(
          `${isOver ? "It ended" : `${withinMs / 1000} s went by`} before ${what}. Output:\n${this.output}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Whether another command succeeds beside it, as a health check is run. */
  succeeds([program = "", ...args]: readonly string[]): boolean {
    try {
      execFileSync(program, args, { ...this.inside(), stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  }

  /** Asks it to end. Throws unless it does so with code 0 in time. Returns how long that took, in milliseconds. */
  async end(graceMs: number): Promise<number> {
    const startedAt = Date.now();
    this.child.kill("SIGTERM");
    const late = setTimeout(() => this.child.kill("SIGKILL"), graceMs);
    const how = await this.ended;
    clearTimeout(late);
    if (how !== 0) throw new Error(`Told to end, it ended with ${how}. Output:\n${this.output}`);
    return Date.now() - startedAt;
  }

  kill(): void {
    this.child.kill("SIGKILL");
  }
}
