import { LauncherError } from "./launcher-error";
import { Processes } from "./processes";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** `npm start` passes one Ctrl-C on a second time; a person's second one comes later. */
const SECOND_SIGNAL_AFTER_MS = 300;

/**
 * The edge of every launcher command: runs `work` to its end or to a signal, stops what it started, and exits.
 * An expected failure is printed as its sentence; anything else is a bug and keeps its stack.
 */
export async function runToExit(work: (processes: Processes) => Promise<void>): Promise<void> {
  const processes = new Processes();
  let firstSignalAt: number | undefined;

  async function exit(code: number): Promise<void> {
    await processes.stop();
    process.exit(code);
  }

  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (firstSignalAt === undefined) {
        firstSignalAt = Date.now();
        void exit(0);
      } else if (Date.now() - firstSignalAt > SECOND_SIGNAL_AFTER_MS) {
        processes.kill();
        process.exit(130);
      }
    });
  }

  try {
    await work(processes);
    await exit(0);
  } catch (error) {
    // While stopping, whatever was in the middle of starting fails; that is not news.
    if (processes.stopping) return;
    console.error(error instanceof LauncherError ? error.message : error);
    await exit(1);
  }
}
