import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { bundled, type Program } from "./bundled";
import { root } from "./migrated";

export type Killable = {
  process: ChildProcess;
  /** The first line it printed. */
  line: string;
  /** How it ended. */
  ended: Promise<NodeJS.Signals | number | null>;
  kill(): Promise<void>;
};

/** Starts a program as a process that ends with this one, and waits for its first line. */
export async function startKillable(
  program: Program,
  { settings = {}, environment = {} }: { settings?: unknown; environment?: Record<string, string> } = {},
): Promise<Killable> {
  const child = spawn(process.execPath, [await bundled(program), JSON.stringify(settings)], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, LOG_LEVEL: "silent", ...environment },
  });
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(signal ?? code)),
  );
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: child.stdout }).once("line", resolve)),
    // It may reach its end before its line is read.
    ended.then((how) => `ended: ${how}`),
  ]);
  return {
    process: child,
    line,
    ended,
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
