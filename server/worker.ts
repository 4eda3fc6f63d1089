import { startExecutor } from "./engine/executor";
import { env } from "./env";
import { logger } from "./logger";
import { configuredModel } from "./models/configured-model";
import { TOOLS } from "./tools/catalog";

/** A worker process: executes agent runs until it is told to stop. */
async function main(): Promise<void> {
  const { DATABASE_URL, WORKER_ID } = env();
  const executor = await startExecutor({
    databaseUrl: DATABASE_URL,
    model: configuredModel(),
    tools: TOOLS,
    ...(WORKER_ID ? { workerId: WORKER_ID } : {}),
  });
  logger.info({ workerId: executor.workerId }, "worker ready");
  process.send?.("ready");

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await executor.close().catch((error) => logger.warn({ err: error }, "the worker did not close cleanly"));
    process.exit(0);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  // The launcher is gone: nobody would restart or stop this process.
  process.on("disconnect", () => process.exit(1));
}

main().catch((error) => {
  logger.fatal({ err: error }, "the worker could not start");
  process.exit(1);
});
