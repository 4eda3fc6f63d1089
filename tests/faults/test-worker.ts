import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { bundled } from "@/tests/support/bundled";
import type { KillAt, TestWorkerSettings, WorkerFigures } from "@/tests/support/test-worker-main";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export type TestWorker = {
  process: ChildProcess;
  ended: Promise<void>;
  /** From now on it kills itself where `at` says. */
  arm(at: KillAt): Promise<void>;
  /** What it holds. */
  measure(): Promise<WorkerFigures>;
  kill(): Promise<void>;
};

type Process = { child: ChildProcess; lines: AsyncIterator<string> };

/** Loading its modules takes a worker longest: one that has done so waits here while the case before is under way. */
let spare: Promise<Process> | undefined;

async function spawnWorker(): Promise<Process> {
  const child = spawn(process.execPath, [await bundled("tests/support/test-worker-main.ts")], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, LOG_LEVEL: process.env.FAULTS_LOG ?? "silent" },
  });
  // It may be killed before it has read what it is told.
  child.stdin.on("error", () => {});
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

/** Starts a worker and waits until it is at work, or until it has killed itself on the way. */
export async function startWorkerProcess(settings: TestWorkerSettings): Promise<TestWorker> {
  // Taken and replaced at once: several may be started at the same time.
  const taken = spare ?? spawnWorker();
  spare = spawnWorker();
  const { child, lines } = await taken;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.stdin?.write(`${JSON.stringify(settings)}\n`);
  const first = await lines.next();
  // A kill point may be reached before the line is read, or what ends it be executed before the line is written.
  if (first.done && !settings.killAt && !settings.mayEnd) throw new Error("the worker ended before it was ready");
  return {
    process: child,
    ended,
    arm: async (at) => {
      child.stdin?.write(`${JSON.stringify(at)}\n`);
      await lines.next();
    },
    measure: async () => {
      child.stdin?.write("measure\n");
      return JSON.parse((await lines.next()).value) as WorkerFigures;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

export async function endSpareWorker(): Promise<void> {
  (await spare)?.child.kill("SIGKILL");
  spare = undefined;
}
