import { pool as openPool } from "./db";
import { startPreparingPrecedents } from "./decisions/jobs/prepare-precedents";
import { startExecutor } from "./engine/executor";
import { env } from "./env";
import { startPreparingFinding } from "./finding/jobs/prepare-finding";
import { startSealing } from "./ledger/jobs/seal-runs";
import { logger } from "./logger";
import { toolServerConnections } from "./mcp/connections";
import { loggedModels } from "./models/logged-models";
import { modelDirectory } from "./models/model-directory";
import { redactingModels } from "./models/redacting-models";
import { startIndexer } from "./retrieval/indexer";
import { startReembedder } from "./retrieval/re-embedder";
import { startPreparingRuns } from "./runs/jobs/prepare-run-vectors";
import { keptRedaction } from "./secrets/redaction";
import { redactingToolbox } from "./tools/redacting-toolbox";
import { toolbox } from "./tools/toolbox";
import { startTracing } from "./tracing/jobs/export-traces";
import { startUpkeep } from "./usage/jobs/upkeep";
import { startWebhooks } from "./webhooks/jobs/deliver-webhooks";

/** For calls under way to end and be recorded; well below what the launcher waits before it kills, in milliseconds. */
const DRAIN_MS = 8_000;

/** A worker process: executes agent runs and indexes documents until it is told to stop. */
async function main(): Promise<void> {
  const { DATABASE_URL, WORKER_ID, RUNS_PER_WORKER } = env();
  const pool = openPool();
  const redaction = keptRedaction(pool);
  const executor = await startExecutor({
    databaseUrl: DATABASE_URL,
    models: redactingModels(loggedModels(modelDirectory({ pool }), logger), redaction),
    toolbox: redactingToolbox(toolbox(pool), redaction),
    ...(WORKER_ID ? { workerId: WORKER_ID } : {}),
    ...(RUNS_PER_WORKER ? { mostRuns: RUNS_PER_WORKER } : {}),
  });
  const indexer = startIndexer({ workerId: executor.workerId, hub: executor.resources.hub });
  const reembedder = startReembedder({ workerId: executor.workerId, hub: executor.resources.hub });
  const upkeep = startUpkeep({ workerId: executor.workerId, hub: executor.resources.hub });
  const precedents = startPreparingPrecedents();
  const sealing = startSealing();
  const tracing = startTracing({ workerId: executor.workerId });
  const webhooks = startWebhooks({ hub: executor.resources.hub });
  const runVectors = startPreparingRuns();
  const finding = startPreparingFinding({ workerId: executor.workerId });
  logger.info({ workerId: executor.workerId }, "worker ready");
  process.send?.("ready");

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await Promise.all([
      indexer.close().catch((error) => logger.warn({ err: error }, "the indexer did not close cleanly")),
      reembedder.close().catch((error) => logger.warn({ err: error }, "the re-embedder did not close cleanly")),
      upkeep.close().catch((error) => logger.warn({ err: error }, "the upkeep did not close cleanly")),
      tracing.close().catch((error) => logger.warn({ err: error }, "the sending of traces did not close cleanly")),
      webhooks.close().catch((error) => logger.warn({ err: error }, "the calling of webhooks did not close cleanly")),
      runVectors.close().catch((error) => logger.warn({ err: error }, "vectors of runs did not close cleanly")),
      finding.close().catch((error) => logger.warn({ err: error }, "vectors of a model did not close cleanly")),
      precedents.close().catch((error) => logger.warn({ err: error }, "precedents did not close cleanly")),
      sealing.close().catch((error) => logger.warn({ err: error }, "the sealing of runs did not close cleanly")),
      executor
        .close({ drainMs: DRAIN_MS })
        .catch((error) => logger.warn({ err: error }, "the worker did not close cleanly")),
    ]);
    await toolServerConnections.closeAll().catch((error) => logger.warn({ err: error }, "a tool server did not close"));
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
