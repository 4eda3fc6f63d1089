import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { hostname } from "node:os";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { isPassing } from "@/server/database-failure";
import { openPool } from "@/server/database-pool";
import { logger } from "@/server/logger";
import type { ModelDirectory } from "@/server/models/model";
import type { Toolbox } from "@/server/tools/tool";
import { ALONE, isTurnOf, LEFT_TO_ITS_WORKER_MS, MOST_RUNS, nextQueued, placeAmong } from "./admission";
import { BoundedWork } from "./bounded-work";
import { CallSlots } from "./call-slots";
import { purgeCalls } from "./claim-call";
import { execute } from "./execute";
import { expireRequests } from "./expire-requests";
import { WorkHub } from "./hub";
import { Flusher } from "./journal/flusher";
import type { Journal } from "./journal/journal";
import { LiveText } from "./live-text";
import { oneAtATime } from "./one-at-a-time";
import { stopOverdueRuns } from "./overdue-runs";
import { Replay } from "./replay";
import { Gates } from "./resilience/gates";
import type { EngineResources } from "./resources";
import type { EngineTool } from "./tools/engine-tool";
import { ENGINE_TOOLS } from "./tools/engine-tools";
import { warnOfFailedCalls } from "./watch-failed-calls";
import {
  beat,
  findStanding,
  findStrays,
  interrupt,
  leave,
  readWorkflowId,
  releaseAllBut,
  restartClocks,
  type Standing,
} from "./workers";

/**
 * Recovery matches this exactly: raise it only when a run begun by older code must not go on under newer code.
 * Never a hash of the code, which would strand every run at each deploy.
 */
const ENGINE_PROTOCOL = "1";
const QUEUE = "agent-runs";
const BEAT_EVERY_MS = 750;
/** A worker that has not been heard of for this long is dead: its runs go to others. */
const DEAD_AFTER_MS = 3_000;

const MOST_ATTEMPTS = 10;
/** Between two looks at the queue, which only holds what is taken over or was forgotten. */
const LOOK_AT_QUEUE_MS = 500;
/** Between two attempts to go on while the database is away. */
const DATABASE_AWAY_MS = 500;
/** Between two looks at what a worker that leaves still has under way. */
const DRAIN_LOOK_MS = 20;
/** How long what was begun here counts as about to be opened. */
const STARTING_MS = 2_000;
/** Between two looks for runs that have used up their time. */
const OVERDUE_EVERY_MS = 5_000;
/** How often calls that failed for good are counted. */
const COUNT_FAILED_EVERY_MS = 60_000;

export type ExecutorOptions = {
  databaseUrl: string;
  models: ModelDirectory;
  toolbox: Toolbox;
  engineTools?: ReadonlyMap<string, EngineTool>;
  workerId?: string;
  /** Executions in a row without a recorded step, after which an agent run is set aside. */
  mostAttempts?: number;
  /** Runs carried on at once; the others wait their turn. 500 unless said otherwise. */
  mostRuns?: number;
  /** False: replies are not streamed. */
  stream?: boolean;
  atFaultPoint?: EngineResources["atFaultPoint"];
};

export type Executor = {
  workerId: string;
  resources: EngineResources;
  /**
   * Takes nothing more and lets go of everything, so that others take over at once. Model and tool calls that are under
   * way have `drainMs` (none by default) to end and be recorded; each agent run is let go of as soon as its own have.
   */
  close(options?: { drainMs?: number }): Promise<void>;
};

/** Unique among living workers: DBOS recovers what bears the id of the process that starts. */
export function newWorkerId(): string {
  return `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;
}

const isOfRoot = ({ row }: Journal) => row.parentId === null;

/**
 * Starts this process as a worker. DBOS decides when an agent run is executed and by whom (queue, ownership, recovery);
 * what happened is in our own rows, from which any worker goes on (ADR 003).
 */
export async function startExecutor(options: ExecutorOptions): Promise<Executor> {
  const workerId = options.workerId ?? newWorkerId();
  const pool = openPool({ url: options.databaseUrl, max: 6 });
  const hub = new WorkHub(options.databaseUrl);
  const flusher = new Flusher(pool);
  const running = new Map<string, Set<Journal>>();
  /** Workflows at work in this process. */
  const executing = new Set<string>();
  /** The newest execution of each workflow in this process: one handed back to the queue may come to the same worker. */
  const newest = new Map<string, symbol>();
  let closing = false;
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  // Started from inside an agent run, a child would become a DBOS child of it; ours hang together by their own rows.
  const outside = AsyncLocalStorage.snapshot();
  let clockOffsetMs = 0;
  /** Among the workers of this database, as of the last heartbeat. */
  let place = ALONE;
  const sayThatItLives = async () => {
    const { clockOffsetMs: offsetMs, living } = await beat(pool, workerId, DEAD_AFTER_MS);
    clockOffsetMs = offsetMs;
    place = placeAmong(living, workerId);
  };

  const slots = new CallSlots(pool, hub, workerId);
  const resources: EngineResources = {
    pool,
    slots,
    gates: new Gates(pool),
    bounded: new BoundedWork(pool),
    flusher,
    hub,
    ...(options.stream === false ? {} : { liveText: new LiveText(pool) }),
    models: options.models,
    toolbox: options.toolbox,
    engineTools: options.engineTools ?? ENGINE_TOOLS,
    workerId,
    now: () => new Date(Date.now() + clockOffsetMs),
    random: Math.random,
    isLeaving: () => closing,
    launch: (ids) => outside(() => ids.forEach((id) => void start(id, false))),
    ...(options.atFaultPoint ? { atFaultPoint: options.atFaultPoint } : {}),
  };

  /** Told before the journal was there to hear it. */
  const told = { steered: new Set<string>(), budget: new Set<string>() };

  const { mostRuns = MOST_RUNS } = options;
  /** Roots this worker has begun and not opened yet. */
  const starting = new Set<string>();
  /** More may wait for a worker than was begun. */
  let hasBacklog = false;
  const rootsHere = () => [...running.values()].filter((journals) => [...journals].some(isOfRoot)).length;

  const track = (journal: Journal) => {
    const id = journal.row.id;
    starting.delete(id);
    if (told.steered.delete(id)) journal.steered();
    if (told.budget.has(journal.row.workspaceId)) journal.isBudgeted = true;
    const journals = running.get(id) ?? new Set();
    running.set(id, journals.add(journal));
    return () => {
      journals.delete(journal);
      if (journals.size === 0) running.delete(id);
      if (hasBacklog && isOfRoot(journal)) void outside(admit);
    };
  };

  // Known to others before DBOS gives it work: whoever owns work and is not known is taken for dead.
  await sayThatItLives();
  const systemPool = openPool({ url: options.databaseUrl, max: 6 });
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
  /**
   * Returns once the agent run has ended or is held: to return earlier would tell DBOS that it is done, and nobody would carry it
   * on. What is held goes on in a workflow of its own.
   */
  async function executeUntilEnded(workflowId: string): Promise<void> {
    let epoch = 0;
    const self = Symbol(workflowId);
    const { agentRunId } = readWorkflowId(workflowId);
    newest.set(workflowId, self);
    const look = () =>
      findStanding(pool, { workflowId, epoch, own: newest.get(workflowId) === self ? workerId : null });
    const trackEpoch = (journal: Journal) => {
      epoch = journal.row.epoch;
      return track(journal);
    };
    for (let standing: Standing = "free"; standing !== "ended" && !closing; ) {
      executing.add(workflowId);
      try {
        // Tried again after a while without the database, others may have taken it over: they are left to it.
        if (standing === "unknown") standing = await look();
        if (standing === "free") {
          // What another execution of it still has under way here is recorded first: it was let go of, not cut off.
          await letGoOf(agentRunId);
          standing = await execute(workflowId, resources, trackEpoch);
        } else if (standing === "elsewhere") {
          executing.delete(workflowId);
          standing = await hub.waitFor("ended", agentRunId, leaving.signal, async () => {
            const now = await look();
            return now === "elsewhere" ? undefined : now;
          });
        }
      } catch (error) {
        if (closing) break;
        if (!isPassing(error)) {
          executing.delete(workflowId);
          throw error;
        }
        standing = "unknown";
        await new Promise((resolve) => setTimeout(resolve, DATABASE_AWAY_MS));
      }
    }
    executing.delete(workflowId);
    if (newest.get(workflowId) === self) newest.delete(workflowId);
    if (closing) await new Promise<never>(() => {});
  }
  async function letGoOf(agentRunId: string): Promise<void> {
    for (const journal of running.get(agentRunId) ?? []) journal.letGo();
    while (running.has(agentRunId) && !closing) await new Promise((resolve) => setTimeout(resolve, DRAIN_LOOK_MS));
  }
  const workflow = DBOS.registerWorkflow(executeUntilEnded, { name: "agent-run", maxRecoveryAttempts: 50 });
  await oneAtATime(pool, () => DBOS.launch());
  await DBOS.registerQueue(QUEUE, { minPollingIntervalMs: LOOK_AT_QUEUE_MS, onConflict: "always_update" });

  async function start(workflowId: string, queued: boolean): Promise<void> {
    // Whoever is left finds it: no workflow has been begun for it.
    if (closing) return;
    try {
      // The same id started twice is one workflow.
      await DBOS.startWorkflow(workflow, { workflowID: workflowId, ...(queued ? { queueName: QUEUE } : {}) })(
        workflowId,
      );
    } catch (error) {
      logger.warn({ err: error, workflowId }, "an agent run could not be started; the next sweep tries again");
    }
  }

  async function startRoot(id: string): Promise<void> {
    starting.add(id);
    await start(id, false);
    // Opened by now or soon, here or elsewhere; one that is not is named again.
    setTimeout(() => starting.delete(id), STARTING_MS).unref();
  }
  let admitting = false;
  let admitAgain = false;
  let admitSoon: NodeJS.Timeout | undefined;
  /** By then whoever is to begin what waits has begun it, or will not soon. */
  function admitLater(): void {
    admitSoon ??= setTimeout(() => {
      admitSoon = undefined;
      void outside(admit);
    }, LEFT_TO_ITS_WORKER_MS).unref();
  }
  /** Begins what waits for a worker: this one's part of it, as far as there is room. */
  async function admit(): Promise<void> {
    admitAgain = admitting;
    if (admitting || closing) return;
    admitting = true;
    try {
      const { ids, more, hasRoom } = await nextQueued(pool, { workerId, mostRuns, starting, place });
      hasBacklog = more;
      for (const id of ids) await startRoot(id);
      if (more && hasRoom) admitLater();
    } catch (error) {
      logger.warn({ err: error }, "what waits for a worker could not be read; the next sweep tries again");
    } finally {
      admitting = false;
    }
    if (admitAgain) await admit();
  }

  // All hear it and one begins it at once: no wait for the queue to be polled.
  hub.on("queued", (workflowId) =>
    outside(() => {
      const { agentRunId, generation } = readWorkflowId(workflowId);
      // Should that one not begin it, others do; of what was resumed a sweep finds it.
      if (!isTurnOf(place, agentRunId)) admitLater();
      // What was resumed has waited for room before.
      else if (generation > 0) void start(workflowId, false);
      else if (!hasBacklog && rootsHere() + starting.size < mostRuns) void startRoot(workflowId);
      // Those here may wait for people and leave their room to others.
      else void admit();
    }),
  );
  hub.on("aborted", (id) => {
    for (const journal of running.get(id) ?? []) journal.abort();
    hub.tell("ended", id);
  });
  hub.on("held", (id) => {
    for (const journal of running.get(id) ?? []) journal.letGo();
  });
  hub.on("steered", (id) => {
    if (!running.has(id)) told.steered.add(id);
    for (const journal of running.get(id) ?? []) journal.steered();
  });
  // Whoever opens looks by itself: an agent run that was opened for the first time has nobody below it yet.
  hub.on("escalated", (id) => {
    for (const journal of running.get(id) ?? []) journal.escalated();
  });
  // A limit of the workspace's day holds for runs that are under way, too.
  hub.on("budget", (workspaceId) => {
    told.budget.add(workspaceId);
    for (const journals of running.values()) {
      for (const journal of journals) if (journal.row.workspaceId === workspaceId) journal.isBudgeted = true;
    }
  });
  // What was said while nobody listened may have been missed.
  hub.onLookAgain(() => {
    for (const journals of running.values()) {
      for (const journal of journals) {
        journal.steered();
        journal.escalated();
        journal.isBudgeted = true;
      }
    }
  });
  await hub.listen();

  await restartClocks(pool, workerId, DEAD_AFTER_MS);
  let beatAt = Date.now();
  let beating: NodeJS.Timeout | undefined;
  /** On its own: whatever a sweep takes, the others hear that this worker lives. */
  async function keepBeating(): Promise<void> {
    try {
      await sayThatItLives();
      // Nobody worked while the database was away, or this machine asleep.
      if (Date.now() - beatAt > DEAD_AFTER_MS) await restartClocks(pool, workerId, DEAD_AFTER_MS);
      beatAt = Date.now();
    } catch (error) {
      if (!closing) logger.warn({ err: error }, "this worker could not say that it lives; it tries again");
    } finally {
      if (!closed) beating = setTimeout(() => void keepBeating(), BEAT_EVERY_MS);
    }
  }

  /** Workflows that were this worker's and not at work at the last look. */
  let seenIdle = new Set<string>();
  let overdueAt = beatAt + OVERDUE_EVERY_MS;
  let failedCalls = { at: 0, open: 0 };
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let sweeping = false;
  let again = false;
  async function sweep(): Promise<void> {
    again = sweeping;
    if (sweeping) return;
    sweeping = true;
    clearTimeout(timer);
    try {
      if (closing) return;
      void outside(admit);
      slots.sweep();
      const strays = await findStrays(pool, {
        workerId,
        mostAttempts: options.mostAttempts ?? MOST_ATTEMPTS,
        deadAfterMs: DEAD_AFTER_MS,
      });
      for (const id of strays.unstarted) await start(id, true);
      if (strays.ownerless.length) {
        logger.info({ workflowIds: strays.ownerless }, "taking over agent runs of a worker that stopped");
        await DBOS.resumeWorkflows(strays.ownerless, { queueName: QUEUE });
      }
      // Given to this worker by an answer that was lost: whoever looks next takes them. Twice seen, as it may just be opening them.
      const idle = strays.unopened.filter((id) => !newest.has(id));
      const lost = idle.filter((id) => seenIdle.has(id));
      seenIdle = new Set(idle);
      if (lost.length) {
        logger.warn({ workflowIds: lost }, "taking up agent runs this worker did not know it had");
        await DBOS.resumeWorkflows(lost, { queueName: QUEUE });
      }
      for (const { id, why } of strays.ended) await interrupt(pool, id, why);
      await expireRequests(pool);
      if (Date.now() >= overdueAt) {
        overdueAt = Date.now() + OVERDUE_EVERY_MS;
        await resources.bounded.report();
        await stopOverdueRuns(pool);
        await purgeCalls(pool);
        void replay.look();
        if (Date.now() >= failedCalls.at + COUNT_FAILED_EVERY_MS) {
          failedCalls = { at: Date.now(), open: await warnOfFailedCalls(pool, workerId, failedCalls.open) };
        }
      }
    } catch (error) {
      if (!closing) logger.warn({ err: error }, "the sweep of this worker failed; it is tried again");
    } finally {
      sweeping = false;
      if (!closed) timer = setTimeout(() => void sweep(), again ? 0 : BEAT_EVERY_MS);
    }
  }
  // A worker that leaves hands its agent runs on one by one: no wait for the next beat.
  hub.on("released", () => void sweep());
  const replay = new Replay(resources);
  hub.on("replay", () => void outside(() => replay.look()));
  await keepBeating();
  await sweep();

  /** Stops and hands on each execution when nothing of it is under way any more, and all of them at the end of the time. */
  async function drain(drainMs: number): Promise<void> {
    const end = Date.now() + drainMs;
    for (let kept = Number.POSITIVE_INFINITY; ; ) {
      const isOver = Date.now() >= end;
      if (executing.size < kept) {
        kept = executing.size;
        await releaseAllBut(pool, workerId, [...executing]).catch(() => {});
      }
      if (kept === 0) return;
      for (const journals of running.values()) {
        for (const journal of journals) {
          if (isOver) journal.abort();
          else journal.letGo();
        }
      }
      if (isOver) return;
      await new Promise((resolve) => setTimeout(resolve, DRAIN_LOOK_MS));
    }
  }

  return {
    workerId,
    resources,
    async close({ drainMs = 0 } = {}) {
      closing = true;
      leaving.abort();
      // First, so that no more work comes in. Deregistered, so that this process may start another executor.
      await DBOS.shutdown({ deregister: true });
      await drain(drainMs);
      closed = true;
      clearTimeout(timer);
      clearTimeout(admitSoon);
      clearTimeout(beating);
      flusher.stop();
      await leave(pool, workerId).catch(() => {});
      await hub.close();
      await Promise.all([pool.end(), systemPool.end()]);
    },
  };
}
