import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { DBOS } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import { logger } from "@/server/logger";
import type { Model } from "@/server/models/model";
import type { Tool } from "@/server/tools/tool";
import { execute } from "./execute";
import { WorkHub } from "./hub";
import { Flusher, isPassing } from "./journal/flusher";
import type { Journal } from "./journal/journal";
import { LiveText } from "./live-text";
import type { EngineResources } from "./resources";
import type { EngineTool } from "./tools/engine-tool";
import { ENGINE_TOOLS } from "./tools/engine-tools";
import { beat, findStrays, interrupt, leave } from "./workers";

/**
 * Recovery matches this exactly: raise it only when a run begun by older code must not go on under newer code.
 * Never a hash of the code, which would strand every run at each deploy.
 */
const ENGINE_PROTOCOL = "1";
const QUEUE = "agent-runs";
const BEAT_EVERY_MS = 750;
/** A worker that has not been heard of for this long is dead: its runs go to others. */
const DEAD_AFTER_MS = 3_000;

/** Between two attempts to go on while the database is away. */
const DATABASE_AWAY_MS = 500;

export type ExecutorOptions = {
  databaseUrl: string;
  model: Model;
  tools: ReadonlyMap<string, Tool>;
  engineTools?: ReadonlyMap<string, EngineTool>;
  workerId?: string;
  /** False: replies are not streamed. */
  stream?: boolean;
  atFaultPoint?: EngineResources["atFaultPoint"];
};

export type Executor = {
  workerId: string;
  resources: EngineResources;
  /** Lets go of everything, so that others take over at once. */
  close(): Promise<void>;
};

/** Unique among living workers: DBOS recovers what bears the id of the process that starts. */
export function newWorkerId(): string {
  return `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;
}

/**
 * Starts this process as a worker. DBOS decides when an agent run is executed and by whom (queue, ownership, recovery);
 * what happened is in our own rows, from which any worker goes on (ADR 003).
 */
export async function startExecutor(options: ExecutorOptions): Promise<Executor> {
  const workerId = options.workerId ?? newWorkerId();
  const pool = new pg.Pool({ connectionString: options.databaseUrl, max: 6 });
  pool.on("error", () => {});
  const hub = new WorkHub(options.databaseUrl);
  const flusher = new Flusher(pool);
  const running = new Map<string, Set<Journal>>();
  let closing = false;
  // Started from inside an agent run, a child would become a DBOS child of it; ours hang together by their own rows.
  const outside = AsyncLocalStorage.snapshot();
  let clockOffsetMs = 0;

  const resources: EngineResources = {
    pool,
    flusher,
    hub,
    ...(options.stream === false ? {} : { liveText: new LiveText(pool) }),
    model: options.model,
    tools: options.tools,
    engineTools: options.engineTools ?? ENGINE_TOOLS,
    workerId,
    now: () => new Date(Date.now() + clockOffsetMs),
    random: Math.random,
    launch: (ids) => outside(() => ids.forEach((id) => void start(id, false))),
    ...(options.atFaultPoint ? { atFaultPoint: options.atFaultPoint } : {}),
  };

  const track = (journal: Journal) => {
    const id = journal.row.id;
    const journals = running.get(id) ?? new Set();
    running.set(id, journals.add(journal));
    return () => {
      journals.delete(journal);
      if (journals.size === 0) running.delete(id);
    };
  };

  // Known to others before DBOS gives it work: whoever owns work and is not known is taken for dead.
  clockOffsetMs = await beat(pool, workerId, DEAD_AFTER_MS);
  const systemPool = new pg.Pool({ connectionString: options.databaseUrl, max: 6 });
  systemPool.on("error", () => {});
  DBOS.setConfig({
    name: "troupe",
    systemDatabaseUrl: options.databaseUrl,
    systemDatabasePool: systemPool,
    systemDatabasePoolSize: 6,
    executorID: workerId,
    applicationVersion: ENGINE_PROTOCOL,
    logLevel: "error",
    runAdminServer: false,
  });
  async function executeUntilClosed(agentRunId: string): Promise<void> {
    for (let again = true; again; ) {
      again = await execute(agentRunId, resources, track).then(
        () => false,
        (error: unknown) => {
          if (!isPassing(error)) throw error;
          return !closing;
        },
      );
      // The database was away for a moment: the rows say where to go on.
      if (again) await new Promise((resolve) => setTimeout(resolve, DATABASE_AWAY_MS));
    }
    // Cut off by close(), not ended: to return would tell DBOS that it is done, and nobody would take it over.
    if (closing) await new Promise<never>(() => {});
  }
  const workflow = DBOS.registerWorkflow(executeUntilClosed, { name: "agent-run", maxRecoveryAttempts: 50 });
  await DBOS.launch();
  await DBOS.registerQueue(QUEUE, { minPollingIntervalMs: 100, onConflict: "always_update" });

  async function start(agentRunId: string, queued: boolean): Promise<void> {
    try {
      // The same id started twice is one workflow.
      await DBOS.startWorkflow(workflow, { workflowID: agentRunId, ...(queued ? { queueName: QUEUE } : {}) })(
        agentRunId,
      );
    } catch (error) {
      logger.warn({ err: error, agentRunId }, "an agent run could not be started; the next sweep tries again");
    }
  }

  // Whoever hears it first executes it: no wait for the queue to be polled.
  hub.on("queued", (id) => outside(() => void start(id, false)));
  hub.on("aborted", (id) => {
    for (const journal of running.get(id) ?? []) journal.abort();
    hub.tell("ended", id);
  });
  await hub.listen();

  let timer: NodeJS.Timeout | undefined;
  async function sweep(): Promise<void> {
    try {
      clockOffsetMs = await beat(pool, workerId, DEAD_AFTER_MS);
      const strays = await findStrays(pool);
      for (const id of strays.unstarted) await start(id, true);
      if (strays.ownerless.length) {
        logger.info({ agentRunIds: strays.ownerless }, "taking over agent runs of a worker that stopped");
        await DBOS.resumeWorkflows(strays.ownerless, { queueName: QUEUE });
      }
      for (const { id, why } of strays.ended) await interrupt(pool, id, why);
    } catch (error) {
      if (!closing) logger.warn({ err: error }, "the sweep of this worker failed; it is tried again");
    }
    if (!closing) timer = setTimeout(() => void sweep(), BEAT_EVERY_MS);
  }
  await sweep();

  return {
    workerId,
    resources,
    async close() {
      closing = true;
      clearTimeout(timer);
      flusher.stop();
      await leave(pool, workerId).catch(() => {});
      for (const journals of running.values()) for (const journal of journals) journal.abort();
      await hub.close();
      // Deregistered, so that this process may start another.
      await DBOS.shutdown({ deregister: true });
      await Promise.all([pool.end(), systemPool.end()]);
    },
  };
}
