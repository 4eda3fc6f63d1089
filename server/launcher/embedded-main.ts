import { parseArgs } from "node:util";
import { startEmbeddedServer } from "./embedded-server";
import { LauncherError, reasonOf } from "./launcher-error";

/**
 * The embedded database as a process of its own:
 *   node --import tsx server/launcher/embedded-main.ts [--dir DIRECTORY] [--wait-ms 10000] [--exit-with-stdin]
 * Prints the URL as its first line. Without --dir the data is in memory. Ends cleanly on SIGTERM and SIGINT.
 */
const { values } = parseArgs({
  options: { dir: { type: "string" }, "wait-ms": { type: "string" }, "exit-with-stdin": { type: "boolean" } },
});

try {
  const server = await startEmbeddedServer({
    directory: values.dir,
    waitForLockMs: Number(values["wait-ms"] ?? 0),
    onFailure: (error) => {
      console.error(`The embedded database has stopped: ${reasonOf(error)}`);
      process.exit(1);
    },
  });
  const stop = () => {
    // A close that hangs must not keep the process: a crash is safe too.
    setTimeout(() => process.exit(1), 10_000).unref();
    void server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  if (values["exit-with-stdin"]) process.stdin.once("close", stop).resume();
  console.log(server.url);
} catch (error) {
  if (error instanceof LauncherError) console.error(error.message);
  else console.error(error);
  process.exit(1);
}
