import { createInterface } from "node:readline";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Executor, startExecutor } from "@/server/engine/executor";
import { openAiCompatible } from "@/server/models/openai-compatible";
import { guardedFetchFor } from "@/server/outgoing/guarded-fetch";
import { startIndexer } from "@/server/retrieval/indexer";
import { startTracing } from "@/server/tracing/jobs/export-traces";
import { startWebhooks } from "@/server/webhooks/jobs/deliver-webhooks";
import { onlyModel, onlyTools } from "@/tests/support/fixed-resources";
import { testTools } from "./test-tools";

/** SIGKILL itself at the nth time this point is reached, counted from when it was told so. */
export type KillAt = { point: string; nth: number };

/**
 * A worker process for fault tests: scripted model, effect server as far side, and a point at which it kills itself.
 * Settings come as the first line of its input, later points and questions as further lines.
 */
export type TestWorkerSettings = {
  databaseUrl: string;
  modelUrl: string;
  effectUrl: string;
  honoursKey: boolean;
  /** Calls of `step` with the same arguments are one call. */
  sameCalls?: boolean;
  killAt?: KillAt;
  /** What it executes may end it, also before it has said that it is at work. */
  mayEnd?: boolean;
  /** How far this worker's clock is ahead of the machine's. */
  clockSkewMs?: number;
  mostAttempts?: number;
  mostRuns?: number;
  /** It indexes documents, too. */
  indexes?: boolean;
  /** It sends traces, too. */
  traces?: boolean;
  /** It calls webhooks, too; their addresses were sealed with this key. */
  webhooksKey?: string;
};

/** What a worker holds, once nothing is left that nobody refers to. */
export type WorkerFigures = { heapBytes: number; rssBytes: number; handles: number; listeners: number };

let settings: TestWorkerSettings | undefined;
let executor: Executor | undefined;
let killAt: KillAt | undefined;
let reached = 0;

function arm(at: KillAt | undefined): void {
  killAt = at;
  reached = 0;
}

function skewClock(byMs: number): void {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...args: unknown[]) {
      super(...((args.length ? args : [RealDate.now() + byMs]) as [number]));
    }
    static override now() {
      return RealDate.now() + byMs;
    }
  } as DateConstructor;
}

async function work(settings: TestWorkerSettings): Promise<void> {
  const { databaseUrl, modelUrl, effectUrl, honoursKey, indexes, traces, webhooksKey, mostAttempts, mostRuns } =
    settings;
  if (settings.clockSkewMs) skewClock(settings.clockSkewMs);
  const model = openAiCompatible({
    baseUrl: modelUrl,
    fetch: guardedFetchFor(modelUrl),
    name: "scripted",
    apiKey: "unused",
  });
  executor = await startExecutor({
    databaseUrl,
    models: onlyModel(model),
    toolbox: onlyTools(testTools(effectUrl, honoursKey, settings.sameCalls)),
    ...(mostAttempts ? { mostAttempts } : {}),
    ...(mostRuns ? { mostRuns } : {}),
    atFaultPoint: async (point) => {
      if (point !== killAt?.point) return;
      reached += 1;
      if (reached === killAt.nth) process.kill(process.pid, "SIGKILL");
      // The signal is delivered asynchronously: nothing may happen in between.
      if (reached >= killAt.nth) await new Promise(() => {});
    },
  });
  if (indexes || traces || webhooksKey) process.env.DATABASE_URL = databaseUrl;
  if (webhooksKey) process.env.SECRETS_KEY = webhooksKey;
  if (indexes) startIndexer({ workerId: executor.workerId, hub: executor.resources.hub });
  if (traces) startTracing({ workerId: executor.workerId, lookEveryMs: 100 });
  if (webhooksKey) startWebhooks({ hub: executor.resources.hub, lookEveryMs: 100 });
  // As the product's worker does.
  process.on("SIGTERM", () => void executor?.close({ drainMs: 8_000 }).then(() => process.exit(0)));
}

function measure(): WorkerFigures {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, rss } = process.memoryUsage();
  // biome-ignore lint/complexity/useLiteralKeys: it is private, and looked into here only
  const emitter = executor?.resources.hub["emitter"];
  const listeners = (emitter?.eventNames() ?? []).reduce((sum, name) => sum + (emitter?.listenerCount(name) ?? 0), 0);
  return { heapBytes: heapUsed, rssBytes: rss, handles: process.getActiveResourcesInfo().length, listeners };
}

const input = createInterface({ input: process.stdin });
input.on("close", () => process.exit(0));
input.on("line", async (line) => {
  if (line === "measure") {
    process.stdout.write(`${JSON.stringify(measure())}\n`);
    return;
  }
  if (settings) {
    arm(JSON.parse(line) as KillAt);
    process.stdout.write("armed\n");
    return;
  }
  settings = JSON.parse(line) as TestWorkerSettings;
  arm(settings.killAt);
  await work(settings);
  process.stdout.write("ready\n");
});
